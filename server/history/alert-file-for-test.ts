/** What can happen to the file of alerts while it is needed. */
import { DatabaseSync } from 'node:sqlite'

/** Somebody else uses it alone, until the function that is answered is called. */
export function lockAlone(file: string): () => void {
  const database = new DatabaseSync(file)
  database.exec('BEGIN EXCLUSIVE')
  return () => {
    database.exec('ROLLBACK')
    database.close()
  }
}

export function damageSilences(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`update silences set body = '{'`)
  database.close()
}
