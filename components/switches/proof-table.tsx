import Link from 'next/link'
import type { SwitchProof } from '../../lib/election/actions.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { count } from '../../lib/shared/format.ts'
import { electionHref } from '../election/election-href.ts'
import { stateWords, unstopped } from './proof-words.ts'

const SHOWN = 30

interface ProofTableProps {
  proof: SwitchProof | null
  cluster: string
  /** Why it cannot be read now. */
  error: string | null
}

/** Everybody who was in the queue or says anything, and whether they have stopped. */
export function ProofTable({ proof, cluster, error }: ProofTableProps) {
  if (proof === null) {
    return (
      <p className="text-t2">
        {error === null ? 'Reading presence in etcd…' : `The stop cannot be proven now: ${error}`}
      </p>
    )
  }
  const rows = proof.elections.flatMap(({ candidates, ...election }) => candidates.map((each) => ({ election, each })))
  const silent = unstopped(proof)
  const held = proof.elections.filter((each) => each.held).map(({ name }) => name)
  const warnings = proof.elections.flatMap(({ warnings: own, name }) => own.map((words) => `${name}: ${words}`))
  return (
    <div className="min-w-0">
      <table className="w-full text-sm">
        <caption className="sr-only">Candidates and whether they have stopped</caption>
        <thead>
          <tr className="border-line2 border-b text-left text-t2">
            <th className="py-1 pr-3 font-normal">Candidate</th>
            <th className="py-1 pr-3 font-normal max-sm:hidden">Election</th>
            <th className="py-1 font-normal">State, read in etcd</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map(({ election, each }) => (
            <tr className="border-line border-b align-top" key={`${election.ref} ${each.lease ?? ''} ${each.identity}`}>
              <td className="words py-1 pr-3">
                {each.identity || '(empty)'}
                <span className="block text-t2 sm:hidden">{election.name}</span>
              </td>
              <td className="words py-1 pr-3 max-sm:hidden">
                <Link className="link" href={electionHref(cluster, election.ref as ElectionRef)}>
                  {election.name}
                </Link>
              </td>
              <td className={`py-1 ${each.state === 'stopped' ? 'text-ok' : 'text-warn'}`}>{stateWords(each)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="py-1 text-t2">Nobody is in the queue or says anything.</p>}
      {rows.length > SHOWN && (
        <p className="py-1 text-t2">
          and {count(rows.length - SHOWN, 'more candidate')}; {silent.length} not stopped in all
        </p>
      )}
      {held.length > 0 && (
        <p className="words mt-2 text-sm text-t2">
          <b className="text-t1">Tenure holds the seat</b> of {held.join(', ')}: nobody leads there.
        </p>
      )}
      {warnings.map((words) => (
        <p className="words mt-2 text-sm text-warn" key={words}>
          {words}
        </p>
      ))}
    </div>
  )
}
