'use client'
import { Button } from './button.tsx'

/** Below an error: to ask again, and to hand the message on. */
export function RetryButtons({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="mt-2 flex gap-2">
      <Button className="max-sm:h-11" onClick={onRetry} size="sm">
        Retry
      </Button>
      <Button
        className="max-sm:h-11"
        onClick={() => void navigator.clipboard?.writeText(message)}
        size="sm"
        variant="quiet"
      >
        Copy
      </Button>
    </div>
  )
}
