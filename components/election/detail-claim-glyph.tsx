export type ClaimGlyphKind = 'agrees' | 'contradicts' | 'unknown'

const LOOK: Record<ClaimGlyphKind, string> = { agrees: 'text-ok', contradicts: 'text-crit', unknown: 'text-t2' }

/** Tick, diamonds or question mark: told apart without colour. */
export function ClaimGlyph({ kind }: { kind: ClaimGlyphKind }) {
  return (
    <svg
      aria-hidden="true"
      className={`mt-px self-start ${LOOK[kind]}`}
      fill="none"
      height="14"
      stroke="currentColor"
      viewBox="0 0 16 16"
      width="14"
    >
      {kind === 'agrees' && <path d="m3 8.6 3.2 3.2L13 4.8" strokeLinecap="round" strokeWidth="2" />}
      {kind === 'contradicts' && (
        <>
          <path d="M5.6 2.4 11.2 8l-5.6 5.6L0 8z" fill="currentColor" stroke="none" />
          <path d="M8.4 4.6 10.6 2.4 15.4 8l-4.8 5.6-2.2-2.2" strokeWidth="1.6" />
        </>
      )}
      {kind === 'unknown' && (
        <>
          <circle cx="8" cy="8" r="6.2" strokeDasharray="1.6 1.9" strokeWidth="1.5" />
          <path d="M6.3 6.3c.1-1 .8-1.6 1.8-1.6s1.7.6 1.7 1.5c0 1.2-1.7 1.3-1.7 2.6M8.1 11.2v.1" strokeWidth="1.5" />
        </>
      )}
    </svg>
  )
}
