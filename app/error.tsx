'use client'
import { Button } from '../components/ui/button.tsx'

interface Props {
  error: Error & { digest?: string }
  reset: () => void
}

/** A page that failed says exactly how, and leaves the bar and the other pages alone. */
export default function PageError({ error, reset }: Props) {
  const text = error.digest === undefined ? error.message : `${error.message} (${error.digest})`
  return (
    <div className="px-5 pt-[15px] max-sm:px-4">
      <h1 className="font-display text-2xl text-t2">
        <b className="text-t1">This page failed.</b> Nothing was changed in etcd.
      </h1>
      <p className="bytes mt-3 max-w-[960px] whitespace-pre-wrap break-words text-crit">{text}</p>
      <p className="mt-4 flex gap-2">
        <Button onClick={() => void navigator.clipboard?.writeText(text)}>Copy</Button>
        <Button onClick={reset} variant="primary">
          Retry
        </Button>
      </p>
    </div>
  )
}
