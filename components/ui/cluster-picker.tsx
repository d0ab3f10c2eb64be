'use client'
import { ChevronDown } from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useChosenCluster } from './use-chosen-cluster.ts'

const ALL = ''

/** All clusters or one: the browser's own list, which phones and screen readers know best. */
export function ClusterPicker() {
  const { chosen, names } = useChosenCluster()
  const choose = useChoose()
  if (names.length < 2) {
    return <span className="words max-w-40 truncate font-semibold max-sm:max-w-28">{chosen ?? '–'}</span>
  }
  const known = chosen === null || names.includes(chosen) ? names : [chosen, ...names]
  return (
    <span className="relative flex min-w-0 items-center">
      <select
        aria-label="Cluster"
        className="words h-8 w-full min-w-0 max-w-48 cursor-pointer appearance-none truncate rounded-md border border-ctl bg-s1 pr-8 pl-2.5 font-semibold hover:bg-s3 max-sm:h-10 max-sm:max-w-24"
        onChange={(event) => choose(event.target.value)}
        value={chosen ?? ALL}
      >
        <option value={ALL}>All clusters</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-2.5" size={14} />
    </span>
  )
}

/** On a cluster's page it changes the page, on the failovers, the audit log and elsewhere the list's `?cluster=`. */
function useChoose(): (name: string) => void {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()
  return (name) => {
    if (pathname.startsWith('/clusters')) {
      router.push(name === ALL ? '/' : `/clusters/${encodeURIComponent(name)}`)
      return
    }
    const stays = pathname === '/' || pathname === '/failovers' || pathname === '/audit'
    const params = new URLSearchParams(stays ? search.toString() : '')
    if (name === ALL) params.delete('cluster')
    else params.set('cluster', name)
    router.push(`${stays ? pathname : '/'}${params.size === 0 ? '' : `?${params}`}`)
  }
}
