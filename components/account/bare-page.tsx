import type { ReactNode } from 'react'

/** A page before anybody is signed in: the mark, one sentence, one form. */
export function BarePage({ sentence, children }: { sentence: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[392px] flex-col justify-center px-4 py-10">
      <p className="mb-6 flex items-center gap-[9px] font-display font-semibold text-[15px] leading-5">
        <svg aria-hidden="true" height="24" viewBox="0 0 24 24" width="24">
          <path d="M2 4h10.2v5H2zM9.2 11h5v9.5h-5z" fill="var(--bone)" />
          <path d="M14 4h8v5h-8z" fill="var(--l1)" />
        </svg>
        Tenure
      </p>
      <h1 className="words mb-5 font-display text-2xl text-t2">{sentence}</h1>
      {children}
    </main>
  )
}
