/** In the order in which they run. A migration that was released is never edited: add another. */
import type { Migration } from 'kysely/migration'
import * as history001 from './001-history.ts'

export const MIGRATIONS: Record<string, Migration> = {
  '001-history': history001,
}
