/** Secrets: made, kept and compared. Only their hashes are ever stored or logged. */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const LEAST_CHARACTERS = 32

/** 256 random bits: nothing that could be guessed, so that a plain hash keeps it. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Reads the secret in `file`. Throws when it is too short to sign with. */
export function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length >= LEAST_CHARACTERS) return secret
  throw new Error(
    `the secret in ${file} is shorter than ${LEAST_CHARACTERS} characters: openssl rand -hex 32 makes one`,
  )
}

/** Made once; a file that others can read would let them sign sessions of their own. */
export function keptSecret(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) {
    const next = `${file}.${process.pid}`
    writeFileSync(next, `${newSecret()}\n`, { mode: 0o600 })
    try {
      // Unlike a rename, this never takes the place of a secret that another start has just made.
      linkSync(next, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(next, { force: true })
    }
  }
  chmodSync(file, 0o600)
  return readSecret(file)
}
