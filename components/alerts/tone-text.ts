import type { Told } from './alert-words.ts'

export const TONE_LOOK: Readonly<Record<Told['tone'], string>> = {
  ok: 'text-ok',
  warn: 'text-warn',
  crit: 'text-crit',
  calm: 'text-t2',
}
