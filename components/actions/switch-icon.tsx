/** A bracketed square: stopped, and held so. */
export function SwitchIcon({ size = 18 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      viewBox="0 0 16 16"
      width={size}
    >
      <path d="M4 1.8H1.6v12.4H4M12 1.8h2.4v12.4H12" strokeWidth="1.7" />
      <rect fill="currentColor" height="5.6" stroke="none" width="5.6" x="5.2" y="5.2" />
    </svg>
  )
}
