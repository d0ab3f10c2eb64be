/** What one sample worker does; given to `run.ts` as JSON. */
export interface Seat {
  kind: 'queue' | 'single-key' | 'registry'
  /** Unique within one process: commands name it. */
  name: string
  /** `queue` and `registry`: keys are `<prefix>/<lease>`. `single-key`: keys are `<prefix>/leader` and so on. */
  prefix: string
  /** What the key holds; the name when left out. */
  value?: string
  /** Prefix and value are base64 of bytes that are not text. */
  binary?: boolean
  ttlSeconds: number
  /** A leader gives the seat up after this long and queues again. */
  handOverAfterMs?: number
  /** A leader writes its value again this long after it won, as Go's Proclaim does. */
  proclaimAfterMs?: number
  /** Queues only while this many candidates stand directly under another prefix. */
  after?: { prefix: string; candidates: number }
}

export type SeatEventType = 'queued' | 'leading' | 'resigned' | 'lost' | 'left' | 'retry'

/** One line of JSON on standard output. */
export interface SeatEvent {
  type: SeatEventType
  name: string
  /** Decimal, as etcd's API gives it. */
  lease?: string
  keyBase64?: string
  /** The fencing token, once the key exists. */
  createRevision?: string
  reason?: string
}

export type Report = (event: Omit<SeatEvent, 'name'>) => void

const bytes = (seat: Seat, text: string) => Buffer.from(text, seat.binary ? 'base64' : 'utf8')

export const prefixBytes = (seat: Seat): Buffer => bytes(seat, seat.prefix)
export const valueBytes = (seat: Seat): Buffer =>
  seat.value === undefined ? Buffer.from(seat.name) : bytes(seat, seat.value)

/** A running seat. `resign` gives up leadership and queues again; `leave` ends it and gives up its lease. */
export interface SeatControl {
  resign(): void
  leave(): Promise<void>
}
