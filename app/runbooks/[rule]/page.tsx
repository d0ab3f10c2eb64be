import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { RunbookPage } from '../../../components/runbooks/runbook-page.tsx'
import { linkTarget, readDocument } from '../../../server/api/documents.ts'
import { getRuntime } from '../../../server/runtime-slot.ts'

interface Props {
  params: Promise<{ rule: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { rule } = await params
  const found = await readDocument(getRuntime(), rule)
  if (found === null) notFound()
  return { title: `${rule} · Runbook` }
}

export default async function Page({ params }: Props) {
  const found = await readDocument(getRuntime(), (await params).rule)
  if (found === null) notFound()
  return <RunbookPage target={(href) => linkTarget(found.file, href)} text={found.text} />
}
