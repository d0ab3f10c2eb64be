import type { Metadata } from 'next'
import { FirstCluster } from '../../components/election/first-cluster.tsx'

export const metadata: Metadata = { title: 'Cluster' }

export default function ClustersPage() {
  return <FirstCluster />
}
