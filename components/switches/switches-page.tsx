'use client'
import { useState } from 'react'
import { isHolding } from '../../lib/election/scopes.ts'
import type { Cluster } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import { ArmDialog } from '../actions/arm-dialog.tsx'
import { ExtendDialog } from '../actions/extend-dialog.tsx'
import { Opener } from '../actions/opener.tsx'
import { ReleaseDialog } from '../actions/release-dialog.tsx'
import { StopButton, StopDialog } from '../actions/stop-dialog.tsx'
import { Waiting } from '../election/list-states.tsx'
import { scopeWords } from '../election/switch-words.ts'
import { useWhyNot, wordsOfRefusal } from '../live/may.ts'
import { useLiveStore, usePastAt, useServerNow, useStructureVersion } from '../live/use-live.ts'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { Coverage } from './coverage.tsx'
import { EarlierStops } from './earlier-stops.tsx'
import { type SwitchAct, SwitchBlock } from './switch-block.tsx'

/** Everything that is stopped on purpose, and the proof that it is. */
export function SwitchesPage() {
  useStructureVersion()
  const now = useServerNow(1)
  const store = useLiveStore()
  const { chosen } = useChosenCluster()
  const shown = [...store.views.values()]
    .map(({ info }) => info)
    .filter(({ name }) => chosen === null || name === chosen)
  if (now === null || shown.length === 0) return <Waiting />
  const holding = shown.flatMap(({ switches = [] }) => switches.filter(isHolding)).length
  const unread = shown.filter(({ switches, switchesError }) => switches === undefined || switchesError !== undefined)
  return (
    <>
      <h1 className="words border-line border-b px-5 py-4 font-display text-2xl text-t2 max-sm:px-4">
        <b className="text-t1">{sentenceOf(holding, unread)}</b>
      </h1>
      {shown.map((cluster) => (
        <OfCluster cluster={cluster} key={cluster.name} named={shown.length > 1} now={now} />
      ))}
    </>
  )
}

function sentenceOf(holding: number, unread: readonly Cluster[]): string {
  if (unread.length > 0) return `What is stopped in ${unread.map(({ name }) => name).join(', ')} is not known.`
  if (holding === 0) return 'No kill switch is engaged.'
  return `${count(holding, 'kill switch is', 'kill switches are')} engaged.`
}

function OfCluster({ cluster, now, named }: { cluster: Cluster; now: Instant; named: boolean }) {
  const isPast = usePastAt() !== null
  const [stopping, setStopping] = useState(false)
  const [arming, setArming] = useState(false)
  const noArming = wordsOfRefusal(useWhyNot('arm', cluster, null))
  const [act, setAct] = useState<SwitchAct | null>(null)
  const refusal = wordsOfRefusal(useWhyNot('engage', cluster, null))
  const holding = (cluster.switches ?? []).filter(isHolding)
  const version = JSON.stringify(cluster.stops ?? [])
  return (
    <section aria-label={cluster.name}>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-5 py-3 max-sm:px-4">
        {named && <h2 className="font-semibold text-lg">{cluster.name}</h2>}
        {refusal !== null && <p className="words text-sm text-t2">{refusal}</p>}
        <span className="ml-auto flex flex-wrap gap-3">
          <Opener onOpen={() => setArming(true)} refusal={noArming}>
            Arm…
          </Opener>
          <StopButton onOpen={() => setStopping(true)} refusal={refusal} />
        </span>
      </div>
      <StopDialog
        cluster={cluster}
        election={null}
        now={now}
        onOpenChange={setStopping}
        open={stopping}
        refusal={refusal}
      />
      {holding.map((standing) => (
        <SwitchBlock cluster={cluster} key={standing.scopeBase64} now={now} onAct={setAct} standing={standing} />
      ))}
      {arming && <ArmDialog cluster={cluster} onClose={() => setArming(false)} />}
      {act !== null && <ActDialog act={act} cluster={cluster} now={now} onAct={setAct} onClose={() => setAct(null)} />}
      <div className="grid border-line border-b lg:grid-cols-[minmax(0,1fr)_360px]">
        <EarlierStops cluster={cluster.name} version={version} />
        {!isPast && <Coverage cluster={cluster.name} />}
      </div>
    </section>
  )
}

interface ActDialogProps {
  act: SwitchAct
  cluster: Cluster
  now: Instant
  onAct: (act: SwitchAct) => void
  onClose: () => void
}

function ActDialog({ act, cluster, now, onAct, onClose }: ActDialogProps) {
  const { verb, standing, proof } = act
  const common = { cluster: cluster.name, now, onClose, scope: scopeWords(standing), standing }
  if (verb === 'extend') return <ExtendDialog {...common} />
  const current = cluster.switches?.find(({ scopeBase64 }) => scopeBase64 === standing.scopeBase64)
  const changed = current && current.modRevision !== standing.modRevision ? current : null
  return (
    <ReleaseDialog {...common} changed={changed} onLookAgain={(at) => onAct({ ...act, standing: at })} proof={proof} />
  )
}
