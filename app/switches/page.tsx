import type { Metadata } from 'next'
import { SwitchesPage } from '../../components/switches/switches-page.tsx'

export const metadata: Metadata = { title: 'Kill switches' }

export default function Page() {
  return <SwitchesPage />
}
