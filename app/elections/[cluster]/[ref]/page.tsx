import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DetailPage } from '../../../../components/election/detail-page.tsx'
import { nameOfRef } from '../../../../components/election/detail-ref.ts'
import { electionName } from '../../../../server/api/election-name.ts'
import { getRuntime } from '../../../../server/runtime-slot.ts'

interface ElectionPageProps {
  params: Promise<{ cluster: string; ref: string }>
}

/** Next hands over path segments as they stand in the address. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export async function generateMetadata({ params }: ElectionPageProps): Promise<Metadata> {
  const { cluster, ref } = await params
  const reference = decoded(ref)
  return { title: electionName(getRuntime(), decoded(cluster), reference) ?? nameOfRef(reference) }
}

export default async function ElectionPage({ params }: ElectionPageProps) {
  const { cluster, ref } = await params
  return (
    <Suspense>
      <DetailPage cluster={decoded(cluster)} reference={decoded(ref)} />
    </Suspense>
  )
}
