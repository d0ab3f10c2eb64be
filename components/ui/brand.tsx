import Link from 'next/link'

export function Brand() {
  return (
    <Link className="flex items-center gap-[9px] font-display font-semibold text-[15px] leading-5" href="/">
      <svg aria-hidden="true" height="24" viewBox="0 0 24 24" width="24">
        <path d="M2 4h10.2v5H2zM9.2 11h5v9.5h-5z" fill="var(--bone)" />
        <path d="M14 4h8v5h-8z" fill="var(--l1)" />
      </svg>
      <span className="max-sm:sr-only">Tenure</span>
    </Link>
  )
}
