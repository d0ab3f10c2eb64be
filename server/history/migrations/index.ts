/** In the order in which they run. A migration that was released is never edited: add another. */
import type { Migration } from 'kysely/migration'
import * as history001 from './001-history.ts'
import * as memory002 from './002-cluster-memory.ts'
import * as during003 from './003-during-stop.ts'
import * as stops004 from './004-stops.ts'
import * as candidacies006 from './006-candidacies.ts'

export const MIGRATIONS: Record<string, Migration> = {
  '001-history': history001,
  '002-cluster-memory': memory002,
  '003-during-stop': during003,
  '004-stops': stops004,
  '006-candidacies': candidacies006,
}
