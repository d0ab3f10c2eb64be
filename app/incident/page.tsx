import type { Metadata } from 'next'
import { IncidentPage } from '../../components/incident/incident-page.tsx'

export const metadata: Metadata = { title: 'Incident' }

export default function Page() {
  return <IncidentPage />
}
