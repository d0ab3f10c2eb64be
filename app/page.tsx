import type { Metadata } from 'next'
import { ElectionList } from '../components/election/election-list.tsx'

export const metadata: Metadata = { title: { absolute: 'Elections · Tenure' } }

export default function ElectionsPage() {
  return <ElectionList />
}
