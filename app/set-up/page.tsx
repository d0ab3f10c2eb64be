import type { Metadata } from 'next'
import { SetUpPage } from '../../components/account/set-up-page.tsx'

export const metadata: Metadata = { title: 'Set a password' }

export default function Page() {
  return <SetUpPage />
}
