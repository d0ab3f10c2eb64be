'use client'
import { History } from 'lucide-react'
import { useState } from 'react'
import type { Cluster } from '../../lib/election/types.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { day, timeOfDay } from '../../lib/shared/format.ts'
import { newOperation, useAcknowledgeRollback } from '../live/actions.ts'
import { useWhyNot, wordsOfRefusal } from '../live/may.ts'
import { AdminDialog } from './admin-dialog.tsx'
import { Opener } from './opener.tsx'

/** Only where the store went back: until an admin has looked at what is there now, nothing can be acted upon. */
export function AcknowledgeRollback({ cluster }: { cluster: Cluster }) {
  const [open, setOpen] = useState(false)
  const acknowledge = useAcknowledgeRollback()
  const refusal = wordsOfRefusal(useWhyNot('acknowledgeRollback', cluster, null))
  const { rolledBack } = cluster
  if (rolledBack === undefined && !open) return null
  const to = rolledBack?.to ?? ''
  return (
    <div className="flex flex-wrap items-center gap-3 border-line border-y bg-tint-crit px-5 py-3 max-sm:px-4">
      <p className="words">
        <b className="text-crit">The store went back</b>
        {rolledBack &&
          ` from revision ${groupDigits(rolledBack.from)} to ${groupDigits(rolledBack.to)} at ${timeOfDay(rolledBack.at)} UTC, ${day(rolledBack.at)}.`}{' '}
        Actions are frozen until an admin acknowledges it.
      </p>
      <span className="ml-auto">
        <Opener onOpen={() => setOpen(true)} refusal={refusal}>
          Acknowledge…
        </Opener>
      </span>
      {open && (
        <AdminDialog
          effect={`Acknowledge the rollback of ${cluster.name}`}
          icon={<History aria-hidden="true" size={22} />}
          onClose={() => setOpen(false)}
          onSend={(reason) => acknowledge.mutate({ cluster: cluster.name, to, reason, operation: newOperation() })}
          sent={{ data: acknowledge.data, error: acknowledge.error, isPending: acknowledge.isPending }}
          title={`Acknowledge the rollback of ${cluster.name}`}
          typedName={cluster.name}
        >
          <p>
            <b className="text-t1">Before you do:</b> see to it that no process acts on what it knew before the restore,
            that kill switches that were engaged then are engaged now, and that leases which the restore brought back
            are revoked or have expired.
          </p>
          <p>Afterwards what is in etcd counts as it is, in a new epoch; older fencing tokens stay refused.</p>
        </AdminDialog>
      )}
    </div>
  )
}
