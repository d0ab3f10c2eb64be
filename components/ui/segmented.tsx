'use client'
import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Segment<Value extends string> {
  value: Value
  label: ReactNode
  /** What screen readers say, where the label is short. */
  name?: string
  className?: string
}

interface SegmentedProps<Value extends string> {
  /** Names the group. */
  label: string
  value: Value
  segments: readonly Segment<Value>[]
  onChange: (value: Value) => void
  className?: string
}

/** One choice of a few, all visible. Arrow keys move, as in a radio group. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      aria-label={props.label}
      className={`inline-flex h-7 max-w-full rounded-md border border-ctl text-sm max-sm:h-10 ${props.className ?? ''}`}
      onValueChange={(value) => value !== '' && props.onChange(value as Value)}
      type="single"
      value={props.value}
    >
      {props.segments.map(({ value, label, name, className = '' }) => (
        <ToggleGroup.Item
          aria-label={name}
          className={`flex grow items-center justify-center gap-[0.5ch] whitespace-nowrap border-line2 border-l px-2.5 font-medium text-t2 first:rounded-l-[3px] first:border-l-0 last:rounded-r-[3px] hover:text-t1 data-[state=on]:bg-bone data-[state=on]:font-semibold data-[state=on]:text-onbone ${className}`}
          key={value}
          value={value}
        >
          {label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
