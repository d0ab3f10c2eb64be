'use client'
import { useId, useState } from 'react'
import type { Cluster } from '../../lib/election/types.ts'
import { StatusGlyph } from '../election/status-glyph.tsx'
import { newOperation } from '../live/actions.ts'
import { useArm } from '../live/switches.ts'
import { AdminDialog } from './admin-dialog.tsx'
import { OptionCard, Options } from './option-card.tsx'
import { idOf, type ScopeChoice, scopeChoices } from './switch-scopes.ts'

interface ArmDialogProps {
  onClose: () => void
  cluster: Cluster
}

/** The first record of a scope, released: candidates that want one before they lead may lead then. */
export function ArmDialog({ onClose, cluster }: ArmDialogProps) {
  const group = useId()
  const arm = useArm()
  const choices = scopeChoices(null, cluster)
  const [scope, setScope] = useState(choices[0] as ScopeChoice)
  const words = scope.label.charAt(0).toLowerCase() + scope.label.slice(1)
  const { scopeBase64, match } = scope
  return (
    <AdminDialog
      effect={`Arm the kill switch of ${words}`}
      icon={<StatusGlyph size={22} status="stopped" />}
      onClose={onClose}
      onSend={(reason) => arm.mutate({ cluster: cluster.name, scopeBase64, match, reason, operation: newOperation() })}
      sent={{ data: arm.data, error: arm.error, isPending: arm.isPending }}
      title="Arm a kill switch"
    >
      <p>
        Candidates with <span className="bytes">onMissingSwitch: 'halt'</span> lead only while a record stands that is
        not engaged. This writes the first one, released: it stops nobody.
      </p>
      <Options legend="Scope">
        {choices.map((choice) => (
          <OptionCard
            checked={idOf(choice) === idOf(scope)}
            group={group}
            key={idOf(choice)}
            onChoose={() => setScope(choice)}
            title={choice.label}
          />
        ))}
      </Options>
    </AdminDialog>
  )
}
