'use client'
import { Check, ChevronDown } from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { DropdownMenu } from 'radix-ui'
import { useChosenCluster } from './use-chosen-cluster.ts'

const ALL = ''

/** All clusters or one. On a cluster's page it changes the page, elsewhere the list's `?cluster=`. */
export function ClusterPicker() {
  const { chosen, names } = useChosenCluster()
  const choose = useChoose()
  const label = chosen ?? (names.length === 0 ? '–' : 'All clusters')
  if (names.length < 2) {
    return <span className="words max-w-40 truncate font-semibold max-sm:max-w-28">{label}</span>
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label={`Cluster: ${label}`}
        className="flex h-8 max-w-48 items-center gap-2 rounded-md border border-ctl px-2.5 font-semibold hover:bg-s3 max-sm:h-10 max-sm:max-w-32"
      >
        <span className="words truncate">{label}</span>
        <ChevronDown aria-hidden="true" className="shrink-0" size={14} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          className="fade-in z-50 min-w-48 rounded-md border border-line2 bg-s2 p-1 shadow-dialog"
          sideOffset={6}
        >
          <DropdownMenu.RadioGroup onValueChange={choose} value={chosen ?? ALL}>
            {[ALL, ...names].map((name) => (
              <DropdownMenu.RadioItem
                className="flex h-8 cursor-pointer select-none items-center gap-2 rounded-sm pr-3 pl-7 outline-none data-[highlighted]:bg-s3 max-sm:h-11"
                key={name}
                value={name}
              >
                <DropdownMenu.ItemIndicator className="-ml-5">
                  <Check aria-hidden="true" size={14} />
                </DropdownMenu.ItemIndicator>
                {name === ALL ? 'All clusters' : name}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function useChoose(): (name: string) => void {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()
  return (name) => {
    if (pathname.startsWith('/clusters')) {
      router.push(name === ALL ? '/' : `/clusters/${encodeURIComponent(name)}`)
      return
    }
    const params = new URLSearchParams(pathname === '/' ? search.toString() : '')
    if (name === ALL) params.delete('cluster')
    else params.set('cluster', name)
    router.push(`/${params.size === 0 ? '' : `?${params}`}`)
  }
}
