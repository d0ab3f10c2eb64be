import { type ReactNode, useId } from 'react'

/** One block of a page about people. Hairlines divide them. */
export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="max-w-[920px] border-line border-b py-5 last:border-b-0">
      <h2 className="font-semibold text-lg" id={id}>
        {title}
      </h2>
      {note !== undefined && <p className="words mt-1 max-w-[640px] text-t2">{note}</p>}
      <div className="mt-3">{children}</div>
    </section>
  )
}

export function Page({ sentence, children }: { sentence: ReactNode; children: ReactNode }) {
  return (
    <div className="px-5 pt-[15px] pb-8 max-sm:px-4">
      <h1 className="words font-display text-2xl text-t2">{sentence}</h1>
      {children}
    </div>
  )
}
