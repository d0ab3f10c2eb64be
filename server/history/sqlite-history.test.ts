import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from './fixtures.ts'
import { historyContract } from './history-contract.ts'
import { openSqliteHistory } from './sqlite-history.ts'

historyContract('SQLite history', async () => {
  const clock = new ManualClock()
  const dir = mkdtempSync(join(tmpdir(), 'tenure-history-'))
  const open = () => openSqliteHistory({ file: join(dir, 'tenure.db'), clock })
  let history = open()
  return {
    clock,
    history,
    restart: async () => {
      await history.close()
      history = open()
      return history
    },
    stop: async () => {
      await history.close()
      rmSync(dir, { recursive: true })
    },
  }
})
