import type { Metadata } from 'next'
import { FailoversPage } from '../../components/failovers/failovers-page.tsx'

export const metadata: Metadata = { title: 'Failovers' }

export default function Page() {
  return <FailoversPage />
}
