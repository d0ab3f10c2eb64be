import { appendFileSync } from 'node:fs'
import { spawnElect, spawnWorkers, type WorkerProcess } from '../../e2e/harness/candidate.ts'
import { departingSeat, fleet, foreignCandidates, type WorkerHost } from '../../examples/workers/fleet.ts'
import { logPath } from '../setup/paths.mjs'
import type { Household } from './household.ts'

const restartAfterMs = 4_000
const electRestartAfterMs = 2_000
const departAfterMs = 12_000

const note = (event: object) =>
  appendFileSync(logPath('demo-workers'), `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`)

/** Starts one worker process and, whenever it ends, another one after a while. */
function keepHostRunning(
  household: Household,
  endpoints: string[],
  host: WorkerHost,
  running: Map<string, WorkerProcess>,
) {
  const start = () => {
    const worker = spawnWorkers({ endpoints, seats: host.seats, logFile: logPath('demo-workers') })
    running.set(host.host, worker)
    worker.onEvent((event) => note({ host: host.host, ...event }))
    household.add(worker, async () => {
      if (await household.pause(restartAfterMs)) start()
    })
  }
  start()
}

function keepElectRunning(household: Household, endpoints: string[], election: string, value: string): void {
  const start = () => {
    const elect = spawnElect({ endpoints, election, value, logFile: logPath('demo-foreign') })
    household.add(elect, async () => {
      if (await household.pause(electRestartAfterMs)) start()
    })
  }
  start()
}

async function letOneDepart(household: Household, running: Map<string, WorkerProcess>): Promise<void> {
  if (await household.pause(departAfterMs)) running.get(departingSeat.host)?.leave(departingSeat.name)
}

export interface StartedWorkers {
  processes: number
  /** What happens from now on: departures and crashes. Called once everybody can see it. */
  beginEvents(): void
}

/** Starts the sample fleet and waits until every election that will have a leader has one. */
export async function startWorkers(household: Household, endpoints: string[]): Promise<StartedWorkers> {
  const running = new Map<string, WorkerProcess>()
  for (const host of fleet) keepHostRunning(household, endpoints, host, running)
  for (const { election, value } of foreignCandidates) keepElectRunning(household, endpoints, election, value)
  await Promise.all([...running.values()].map((worker) => worker.waitFor('queued', { withinMs: 30_000 })))
  return {
    processes: running.size + foreignCandidates.length,
    beginEvents: () => void letOneDepart(household, running),
  }
}
