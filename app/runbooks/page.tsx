import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { RunbookPage } from '../../components/runbooks/runbook-page.tsx'
import { linkTarget, OVERVIEW, readDocument } from '../../server/api/documents.ts'
import { getRuntime } from '../../server/runtime-slot.ts'

export const metadata: Metadata = { title: 'Runbooks' }
export const dynamic = 'force-dynamic'

export default async function Page() {
  const found = await readDocument(getRuntime(), OVERVIEW)
  if (found === null) notFound()
  return <RunbookPage isList target={(href) => linkTarget(found.file, href)} text={found.text} />
}
