import type { ReactNode } from 'react'

export interface NavItem {
  href: '/' | '/switches' | '/failovers' | '/alerts' | '/audit' | '/clusters'
  label: string
  /** Where there is room for little. */
  short?: string
  icon: ReactNode
  isOn: (pathname: string) => boolean
}

function Icon({ children, weight }: { children: ReactNode; weight: number }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height="20"
      stroke="currentColor"
      strokeLinejoin="round"
      strokeWidth={weight}
      viewBox="0 0 16 16"
      width="20"
    >
      {children}
    </svg>
  )
}

export const NAV_ITEMS: readonly NavItem[] = [
  {
    href: '/',
    label: 'Elections',
    icon: (
      <Icon weight={1.9}>
        <path d="M1.5 3.5h7M8.5 8h4M12.5 12.5h2M1.5 8h3M1.5 12.5h7" />
      </Icon>
    ),
    isOn: (pathname) => pathname === '/' || pathname.startsWith('/elections'),
  },
  {
    href: '/switches',
    label: 'Kill switches',
    short: 'Switches',
    icon: (
      <Icon weight={1.6}>
        <path d="M4.2 2H2v12h2.2M11.8 2H14v12h-2.2" />
        <rect fill="currentColor" height="5.2" stroke="none" width="5.2" x="5.4" y="5.4" />
      </Icon>
    ),
    isOn: (pathname) => pathname.startsWith('/switches'),
  },
  {
    href: '/failovers',
    label: 'Failovers',
    icon: (
      <Icon weight={1.5}>
        <path d="M1.5 4.2h6.2v7.6h6.8" />
        <path d="M5.2.6h5L7.7 4.4z" fill="currentColor" stroke="none" />
      </Icon>
    ),
    isOn: (pathname) => pathname === '/failovers',
  },
  {
    href: '/alerts',
    label: 'Alerts',
    icon: (
      <Icon weight={1.5}>
        <path d="M8 1.8c-2.6 0-4.2 1.9-4.2 4.4 0 3-1.3 4.4-1.3 5.2h11c0-.8-1.3-2.2-1.3-5.2 0-2.5-1.6-4.4-4.2-4.4zM6.4 13.6c.3.6.9 1 1.6 1s1.3-.4 1.6-1" />
      </Icon>
    ),
    isOn: (pathname) => pathname.startsWith('/alerts') || pathname.startsWith('/runbooks'),
  },
  {
    href: '/clusters',
    label: 'Cluster',
    icon: (
      <Icon weight={1.5}>
        <circle cx="8" cy="3.4" r="2" />
        <circle cx="3.4" cy="12" r="2" />
        <circle cx="12.6" cy="12" r="2" />
        <path d="M7 5.2 4.4 10.2M9 5.2l2.6 5M5.4 12h5.2" />
      </Icon>
    ),
    isOn: (pathname) => pathname.startsWith('/clusters'),
  },
  {
    href: '/audit',
    label: 'Audit',
    icon: (
      <Icon weight={1.5}>
        <path d="M3 1.8h7.4L13 4.4v9.8H3zM5.6 6.4h4.8M5.6 9h4.8M5.6 11.6h2.6" />
      </Icon>
    ),
    isOn: (pathname) => pathname === '/audit',
  },
]
