'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { NAV_ITEMS, type NavItem } from './nav-items.tsx'
import { useAlertCount } from './use-alert-count.ts'
import { useAttentionCount } from './use-attention-count.ts'
import { useChosenCluster } from './use-chosen-cluster.ts'
import { useEngagedCount } from './use-engaged-count.ts'
import { cycleTheme, useTheme } from './use-theme.ts'

const THEME_ICONS = { dark: Moon, light: Sun, system: Monitor }
const THEME_WORDS = { dark: 'Dark', light: 'Light', system: 'System' }

const ITEM =
  'relative flex flex-col items-center justify-center gap-1 font-medium text-t2 text-xs hover:text-t1 aria-[current]:text-t1'

/** The page of the cluster that was chosen, where there is one of each. */
function hrefWith(href: NavItem['href'], chosen: string | null): string {
  return chosen !== null && href === '/clusters' ? `/clusters/${encodeURIComponent(chosen)}` : href
}

/** The rail at the side; on a phone the tabs at the bottom. */
export function Navigation() {
  const pathname = usePathname()
  const attention = useAttentionCount()
  const stopped = useEngagedCount()
  const alerts = useAlertCount()
  const { chosen } = useChosenCluster()
  return (
    <nav
      aria-label="Main"
      className="fixed bottom-0 left-0 z-30 flex bg-s1 print:hidden max-sm:h-16 max-sm:w-full max-sm:border-line max-sm:border-t sm:top-[52px] sm:w-14 sm:flex-col sm:border-line sm:border-r sm:pt-2 lg:w-20"
    >
      {NAV_ITEMS.map(({ href, label, short, icon, isOn }) => (
        <Link
          aria-current={isOn(pathname) ? 'page' : undefined}
          className={`${ITEM} before:absolute before:bg-bone max-sm:flex-1 max-sm:before:inset-x-3.5 max-sm:before:-top-px max-sm:aria-[current]:before:h-[3px] sm:py-[9px] sm:before:inset-y-0 sm:before:left-0 sm:aria-[current]:bg-s3 sm:aria-[current]:before:w-[3px]`}
          href={hrefWith(href, chosen)}
          key={href}
          title={label}
        >
          {icon}
          {href === '/' && attention > 0 && <Badge count={attention} words="need attention" />}
          {href === '/switches' && stopped > 0 && <Badge count={stopped} words="engaged" />}
          {href === '/alerts' && alerts > 0 && <Badge count={alerts} isQuiet words="fire, not acknowledged" />}
          <span className="sm:max-lg:sr-only">
            {short === undefined ? (
              label
            ) : (
              <>
                <span aria-hidden="true" className="sm:hidden">
                  {short}
                </span>
                <span className="max-sm:sr-only">{label}</span>
              </>
            )}
          </span>
        </Link>
      ))}
      <ThemeButton />
    </nav>
  )
}

interface BadgeProps {
  count: number
  words: string
  /** Red says that elections fail: one such count is enough. */
  isQuiet?: boolean
}

function Badge({ count, words, isQuiet = false }: BadgeProps) {
  const look = isQuiet ? 'bg-line2 text-t1' : 'bg-critfill text-oncrit'
  return (
    <span
      className={`absolute top-[5px] left-1/2 ml-[5px] h-4 min-w-4 rounded-full px-1 text-center font-semibold text-xs leading-4 ${look}`}
    >
      {count > 999 ? '999+' : count}
      <span className="sr-only"> {words}</span>
    </span>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const Icon = THEME_ICONS[theme]
  return (
    <button
      aria-label={`Theme: ${THEME_WORDS[theme]}`}
      className={`${ITEM} max-sm:flex-1 sm:mt-auto sm:mb-2.5 sm:py-[9px]`}
      onClick={cycleTheme}
      title={`Theme: ${THEME_WORDS[theme]} (T)`}
      type="button"
    >
      <Icon aria-hidden="true" size={20} strokeWidth={1.75} />
      <span aria-hidden="true" className="sm:max-lg:sr-only">
        Theme
      </span>
    </button>
  )
}
