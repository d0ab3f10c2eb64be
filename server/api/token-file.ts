/** A secret in a file of its own, read anew when it was replaced. Never logged, never compared in pieces. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Clock } from '../../lib/shared/clock.ts'

const READ_AGAIN_MS = 1_000

const digest = (text: string) => createHash('sha256').update(text).digest()

export class TokenFile {
  private readonly file: string
  private readonly clock: Pick<Clock, 'monoMs'>
  private readonly of: string
  private readMs = Number.NEGATIVE_INFINITY
  private wanted: Buffer | null = null
  /** Why nothing can be compared now; null when it can. */
  problem: string | null = null

  /** `of` says what the token is for, in words. */
  constructor(file: string, clock: Pick<Clock, 'monoMs'>, of = 'reports') {
    this.file = file
    this.clock = clock
    this.of = of
  }

  /** False when the file cannot be read, too: see `problem`. */
  matches(given: string): boolean {
    this.read()
    // Digests have one length, so that the comparison takes as long for any token.
    return this.wanted !== null && timingSafeEqual(digest(given), this.wanted)
  }

  private read(): void {
    const now = this.clock.monoMs()
    if (now - this.readMs < READ_AGAIN_MS) return
    this.readMs = now
    try {
      const token = readFileSync(this.file, 'utf8').trim()
      this.wanted = token === '' ? null : digest(token)
      this.problem = token === '' ? `the file with the token for ${this.of} is empty` : null
    } catch (error) {
      this.wanted = null
      this.problem = `the file with the token for ${this.of} cannot be read (${(error as NodeJS.ErrnoException).code})`
    }
  }
}
