'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { Waiting } from './list-states.tsx'

/** `/clusters` alone means the first one. */
export function FirstCluster() {
  const router = useRouter()
  const { chosen, names } = useChosenCluster()
  const name = chosen ?? names[0]
  useEffect(() => {
    if (name !== undefined) router.replace(`/clusters/${encodeURIComponent(name)}`)
  }, [name, router])
  return <Waiting />
}
