import type { Frame } from '../../lib/election/changes.ts'

export type FromTab = { type: 'hello' } | { type: 'bye' } | { type: 'there?' }
export type ToTab = { type: 'frame'; frame: Frame } | { type: 'trouble'; reason: string } | { type: 'here' }
