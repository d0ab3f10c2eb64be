import type { Runtime } from '../runtime-slot.ts'

const FRESH_MS = 5_000

export interface Health {
  ok: boolean
  clusters: readonly { name: string; ok: boolean; freshness: string; heartbeatAgeMs: number | null; reason?: string }[]
  history: { ok: boolean; error?: string }
}

/** Well when every cluster answered a heartbeat read within the last five seconds. */
export function healthOf(runtime: Runtime): Health {
  const clusters = [...runtime.watchers].map(([name, watcher]) => {
    const ageMs = watcher.heartbeatAgeMs()
    const { freshness, reason } = watcher.elections.view.info
    return {
      name,
      ok: ageMs <= FRESH_MS,
      freshness,
      heartbeatAgeMs: Number.isFinite(ageMs) ? Math.round(ageMs) : null,
      ...(reason ? { reason } : {}),
    }
  })
  const written = runtime.history.state()
  const history = written.ok ? { ok: true } : { ok: false, error: written.error }
  return { ok: clusters.every(({ ok }) => ok), clusters, history }
}
