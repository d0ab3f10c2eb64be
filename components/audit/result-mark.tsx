import type { ReactNode } from 'react'
import { RESULT_WORDS, type ShownResult } from './audit-words.ts'

// Every glyph has an outline of its own, so that a result is told apart without colour.
const GLYPHS: Record<ShownResult, ReactNode> = {
  verified: (
    <>
      <circle cx="8" cy="8" r="6.2" strokeWidth="1.4" />
      <path d="m5 8.2 2.1 2.1L11 6" strokeWidth="1.7" />
    </>
  ),
  failed: <path d="M3 3l10 10M13 3 3 13" strokeWidth="2" />,
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.3" strokeDasharray="0.1 3.2" strokeWidth="1.8" />
      <path d="M6.2 6.3c0-1.1.8-1.8 1.8-1.8s1.8.7 1.8 1.7c0 1.3-1.8 1.4-1.8 2.6M8 11.2v.1" strokeWidth="1.6" />
    </>
  ),
  refused: (
    <>
      <path d="M5.3 1.6h5.4l3.7 3.7v5.4l-3.7 3.7H5.3l-3.7-3.7V5.3z" strokeWidth="1.5" />
      <path d="M5 8h6" strokeWidth="2" />
    </>
  ),
  done: <path d="m2.6 8.6 3.6 3.6 7.2-8" strokeWidth="1.7" />,
  open: <path d="M4 1.8h8M4 14.2h8M5 1.8c0 4 6 8.4 6 12.4M11 1.8c0 4-6 8.4-6 12.4" strokeWidth="1.4" />,
  note: <path d="M3 1.8h7.4L13 4.4v9.8H3zM5.6 7h4.8M5.6 10h4.8" strokeWidth="1.4" />,
}

const TONES: Record<ShownResult, string> = {
  verified: 'text-ok',
  failed: 'text-crit',
  unknown: 'text-warn',
  refused: 'text-warn',
  done: 'text-t1',
  open: 'text-info',
  note: 'text-t2',
}

export function ResultMark({ result }: { result: ShownResult }) {
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap font-semibold ${TONES[result]}`}>
      <svg
        aria-hidden="true"
        className="shrink-0"
        fill="none"
        height="14"
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        viewBox="0 0 16 16"
        width="14"
      >
        {GLYPHS[result]}
      </svg>
      {RESULT_WORDS[result]}
    </span>
  )
}
