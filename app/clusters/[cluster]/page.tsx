import type { Metadata } from 'next'
import { ClusterPage } from '../../../components/election/cluster-page.tsx'
import { safelyDecoded } from '../../../components/ui/safely-decoded.ts'

interface Props {
  params: Promise<{ cluster: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `${safelyDecoded((await params).cluster)} · Cluster` }
}

export default async function Page({ params }: Props) {
  return <ClusterPage name={safelyDecoded((await params).cluster)} />
}
