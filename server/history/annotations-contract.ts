/** What every `History` does with notes and acknowledgements of terms. */
import { describe, expect, it } from 'vitest'
import { at, CLUSTER, election, ended, RESIGNED, revision, term, type With } from './fixtures.ts'
import type { Annotate, History } from './history.ts'

const JOBS = election()
const about = { cluster: CLUSTER, ref: JOBS.ref, epoch: 0, token: revision(7) }
const note = (text: string, after: string | null, by = 'ada'): Annotate => ({
  ...about,
  ...{ kind: 'note', at: at(60), by, text, after },
})
const acknowledged = (by: string): Annotate => ({ ...about, kind: 'acknowledged', at: at(61), by })

async function withTerm(history: History): Promise<void> {
  history.record(CLUSTER, JOBS, [ended(term(1, 7, 0, { to: at(5), endedBy: RESIGNED }))])
  await history.flush()
}

export function annotationsContract(withHistory: With): void {
  describe('annotations', () => {
    it(
      'keeps every version of a note, and after a restart',
      withHistory(async (harness) => {
        await withTerm(harness.history)
        expect(await harness.history.annotate(note('disk was full', null))).toEqual({ outcome: 'written' })
        const [first] = await harness.history.annotations(about)
        expect(first).toMatchObject({
          kind: 'note',
          epoch: 0,
          token: '7',
          at: at(60),
          by: 'ada',
          text: 'disk was full',
        })
        expect(await harness.history.annotate(note('', first?.id ?? ''))).toEqual({ outcome: 'written' })
        const after = await harness.restart()
        expect((await after.annotations(about)).map(({ text }) => text)).toEqual(['disk was full', ''])
        expect(await after.annotations({ ...about, term: { epoch: 1, token: revision(7) } })).toEqual([])
      }),
    )

    it(
      'refuses a note that was written without having read the newest version',
      withHistory(async ({ history }) => {
        await withTerm(history)
        await history.annotate(note('disk was full', null, 'ada'))
        const [first] = await history.annotations(about)
        const late = { outcome: 'changed-meanwhile', by: 'ada', text: 'disk was full' }
        expect(await history.annotate(note('no idea', null, 'bo'))).toEqual(late)
        expect(await history.annotate(note('no idea', '999', 'bo'))).toEqual(late)
        expect(await history.annotate(note('disk was full', first?.id ?? '', 'bo'))).toEqual({ outcome: 'as-it-was' })
        expect(await history.annotations(about)).toHaveLength(1)
      }),
    )

    it(
      'keeps who acknowledged first, and nothing about terms that never were',
      withHistory(async ({ history }) => {
        await withTerm(history)
        expect(await history.annotate(acknowledged('ada'))).toEqual({ outcome: 'written' })
        expect(await history.annotate(acknowledged('bo'))).toEqual({ outcome: 'as-it-was' })
        expect(await history.annotations(about)).toMatchObject([{ kind: 'acknowledged', by: 'ada', text: '' }])
        const nowhere = { ...acknowledged('ada'), token: revision(8) }
        expect(await history.annotate(nowhere)).toEqual({ outcome: 'no-such-term' })
        expect(await history.annotate({ ...nowhere, ref: election('other').ref })).toEqual({ outcome: 'no-such-term' })
      }),
    )
  })
}
