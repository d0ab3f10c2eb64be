/** How each status reads and how loud it is. */
import type { Status } from '../../lib/election/status.ts'

export type Tone = 'crit' | 'warn' | 'info' | 'calm'

export const STATUS_WORDS: Record<Status, string> = {
  'dual-claim': 'Dual claim',
  leaderless: 'Leaderless',
  unknown: 'Unknown',
  flapping: 'Flapping',
  'at-risk': 'Lease at risk',
  'no-standby': 'No standby',
  stopped: 'Stopped',
  'handing-off': 'Handing off',
  unconfirmed: 'Unconfirmed',
  healthy: 'Healthy',
}

const TONES: Record<Status, Tone> = {
  'dual-claim': 'crit',
  leaderless: 'crit',
  unknown: 'warn',
  flapping: 'warn',
  'at-risk': 'warn',
  'no-standby': 'warn',
  stopped: 'crit',
  'handing-off': 'info',
  unconfirmed: 'calm',
  healthy: 'calm',
}

export function toneOf(status: Status): Tone {
  return TONES[status]
}

export const TONE_TEXT: Record<Tone, string> = {
  crit: 'text-crit',
  warn: 'text-warn',
  info: 'text-info',
  calm: 'text-t2',
}

/** The edge and tint a row or card wears for its status. */
export function edgeOf(status: Status): string {
  if (status === 'stopped') return 'edge edge-stopped'
  const tone = toneOf(status)
  if (tone === 'crit') return 'edge edge-crit bg-tint-crit'
  return tone === 'warn' ? 'edge edge-warn' : ''
}
