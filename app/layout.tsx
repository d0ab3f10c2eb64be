import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Surroundings } from '../components/ui/surroundings.tsx'
import { THEME_SCRIPT } from '../components/ui/theme.ts'
import './globals.css'

export const metadata: Metadata = { title: { default: 'Elections · Tenure', template: '%s · Tenure' } }

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: dark)', color: '#151a18' },
    { media: '(prefers-color-scheme: light)', color: '#fbf9f4' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    // The script below sets the theme before the first paint, so the attribute may differ from the server's.
    <html data-theme="dark" lang="en" suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; only it can run before the first paint */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <Surroundings>{children}</Surroundings>
      </body>
    </html>
  )
}
