export type { Outbox, Waiting } from '../history/outbox.ts'
