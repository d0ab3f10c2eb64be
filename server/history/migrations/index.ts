/** In the order in which they run. A migration that was released is never edited: add another. */
import type { Migration } from 'kysely/migration'
import * as history001 from './001-history.ts'
import * as memory002 from './002-cluster-memory.ts'
import * as during003 from './003-during-stop.ts'
import * as stops004 from './004-stops.ts'
import * as transitions005 from './005-transitions.ts'
import * as candidacies006 from './006-candidacies.ts'
import * as conditions007 from './007-conditions.ts'
import * as refill008 from './008-refill.ts'
import * as annotations009 from './009-annotations.ts'
import * as smaller010 from './010-smaller-rows.ts'

export const MIGRATIONS: Record<string, Migration> = {
  '001-history': history001,
  '002-cluster-memory': memory002,
  '003-during-stop': during003,
  '004-stops': stops004,
  '005-transitions': transitions005,
  '006-candidacies': candidacies006,
  '007-conditions': conditions007,
  '008-refill': refill008,
  '009-annotations': annotations009,
  '010-smaller-rows': smaller010,
}
