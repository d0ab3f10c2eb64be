/** A network that does everything a network may do, at random by its seed. */
import type { Fate, Network, NoticeFate } from '../../etcd/fake-network.ts'

export type Weather = 'calm' | 'rough' | 'stormy'

const QUICK: Fate = { requestMs: 1, answerMs: 1 }

/** Of a hundred calls: how many are late, lost, sent twice, or refused. */
const CHANCES: Record<Exclude<Weather, 'calm'>, { late: number; lost: number; twice: number; refused: number }> = {
  rough: { late: 15, lost: 4, twice: 4, refused: 2 },
  stormy: { late: 35, lost: 15, twice: 10, refused: 8 },
}

export class RoughNetwork implements Network {
  weather: Weather = 'calm'
  /** Added to every answer of this client. */
  readonly slowMs = new Map<string, number>()
  private readonly random: () => number

  constructor(random: () => number) {
    this.random = random
  }

  call(client: string): Fate {
    const slowMs = this.slowMs.get(client) ?? 0
    if (this.weather === 'calm') return slowMs === 0 ? QUICK : { ...QUICK, answerMs: slowMs }
    const chances = CHANCES[this.weather]
    const fate: Fate = { requestMs: this.delay(chances.late), answerMs: this.delay(chances.late) + slowMs }
    if (this.isDue(chances.lost)) fate.lost = this.isDue(50) ? 'request' : 'answer'
    if (this.isDue(chances.twice)) fate.againMs = this.random() * 1_500
    if (this.isDue(chances.refused)) fate.refused = this.isDue(50) ? 'unavailable' : 'no-quorum'
    return fate
  }

  notice(): NoticeFate {
    if (this.weather === 'calm') return { delayMs: 1 }
    return {
      delayMs: this.delay(CHANCES[this.weather].late),
      isJoined: this.isDue(50),
      isDoubled: this.isDue(10),
      isLost: this.isDue(5),
    }
  }

  keepsParked(): boolean {
    return this.isDue(50)
  }

  /** Mostly a few milliseconds; late may be later than any caller waits. */
  private delay(late: number): number {
    return this.isDue(late) ? this.random() * 3_000 : 1 + this.random() * 20
  }

  private isDue(percent: number): boolean {
    return this.random() * 100 < percent
  }
}
