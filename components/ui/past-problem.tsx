import { Kbd } from './kbd.tsx'

/** Instead of a page whose moment cannot be shown: nothing is known of it, which is not to say that nobody led. */
export function PastProblem({ problem }: { problem: string }) {
  return (
    <div className="px-5 pt-[15px] max-sm:px-4">
      <h1 className="words font-display text-2xl text-t2" role="alert">
        <b className="text-t1">There is nothing to show of that time.</b> {problem}
      </h1>
      <p className="mt-2 text-t2">
        <Kbd>A</Kbd> or the clock chooses another time.
      </p>
    </div>
  )
}
