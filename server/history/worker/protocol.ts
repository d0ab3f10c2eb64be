/** What the two threads of the history say to each other. Everything survives a structured clone. */
import type { History, HistoryState } from '../history.ts'

/** Said and forgotten: the caller never waits, and never hears of it. */
export const TELLS = [
  'record',
  'recordTerm',
  'recordGap',
  'recordStops',
  'recordConditions',
  'alive',
  'sample',
] as const
/** Each gets an answer, which has seen everything told before it. */
export const ASKS = [
  'load',
  'seeds',
  'terms',
  'events',
  'renewals',
  'stops',
  'conditions',
  'observedSince',
  'failovers',
  'transitionRows',
  'annotations',
  'annotate',
  'past',
  'beside',
] as const

export type Tell = (typeof TELLS)[number]
export type Ask = (typeof ASKS)[number]

/** Fails to compile when the port has a method that neither list carries over. */
export type Uncarried = Exclude<keyof History, Tell | Ask | 'flush' | 'state' | 'close'>
export const CARRIES_ALL: [Uncarried] extends [never] ? true : Uncarried = true

export interface Call {
  /** When it was told. */
  atMs: number
  method: Tell
  args: readonly unknown[]
}

export interface WorkerOptions {
  file: string
  maxFactRows?: number
  maxSamples?: number
}

/** `nowMs` is the main thread's time: the worker keeps none of its own, so that a set clock cannot part them. */
export type ToWorker =
  | { type: 'told'; nowMs: number; calls: readonly Call[] }
  | { type: 'asked'; nowMs: number; id: number; method: Ask | 'flush' | 'close'; args: readonly unknown[] }

export type FromWorker =
  | { type: 'took' }
  | { type: 'answered'; id: number; value: unknown }
  | { type: 'failed'; id: number; name: string; message: string }
  | { type: 'state'; state: HistoryState }
  | { type: 'log'; level: 'info' | 'warn'; fields: object; message: string }
