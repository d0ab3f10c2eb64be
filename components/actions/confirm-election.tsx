'use client'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { newOperation, useConfirmElection } from '../live/actions.ts'
import { useWhyNot, wordsOfRefusal } from '../live/may.ts'
import { AdminDialog } from './admin-dialog.tsx'
import { Opener } from './opener.tsx'

interface ConfirmElectionProps {
  cluster: Cluster
  state: ElectionState
  name: string
}

/** For a look-alike: an admin says that it is an election, so that it may be acted upon. The dialog outlives that. */
export function ConfirmElection({ cluster, state, name }: ConfirmElectionProps) {
  const [open, setOpen] = useState(false)
  const confirm = useConfirmElection()
  const refusal = wordsOfRefusal(useWhyNot('confirmElection', cluster, state))
  return (
    <>
      {!state.confirmed && (
        <Opener onOpen={() => setOpen(true)} refusal={refusal}>
          Confirm…
        </Opener>
      )}
      {open && (
        <AdminDialog
          effect={`Confirm that ${name} is an election`}
          icon={<CircleHelp aria-hidden="true" size={22} />}
          onClose={() => setOpen(false)}
          onSend={(reason) =>
            confirm.mutate({ cluster: cluster.name, ref: state.ref, reason, operation: newOperation() })
          }
          sent={{ data: confirm.data, error: confirm.error, isPending: confirm.isPending }}
          title={`Is ${name} an election?`}
        >
          <p>
            <b className="text-t1">{state.foundBy}.</b> Service registries and lock tables can look the same, and
            handing “leadership” of those over would take a healthy instance away.
          </p>
          <p>Confirmed, it may be handed off and stopped, and its status and failovers count.</p>
        </AdminDialog>
      )}
    </>
  )
}
