/** Viewers in processes of their own, and when each of them saw each change. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { type Child, startChild } from './child.ts'

export interface Tally {
  frames: number
  snapshots: number
  bytes: number
  /** Connections that ended. */
  ended: number
}

export interface Reached {
  seenMs: number
  liveMs: number
}

export interface Viewers {
  /** Counts anew from now on. */
  count(): Promise<void>
  /** Once every viewer has the change and sees its cluster live: since when; rejects when that is not in time. */
  reached(mark: number, withinMs: number): Promise<Reached>
  /** Ends them. `seenMs[mark][viewer]` by the clock of the machine, NaN for never. */
  stop(): Promise<{ tally: Tally; seenMs: number[][] }>
  kill(): Promise<void>
}

export interface OpenViewers {
  port: number
  viewers: number
  marks: number
  processes: number
}

/** The times that a child wrote, as one list for each of its viewers. */
export function readTimes(file: string, marks: number): Float64Array[] {
  const bytes = readFileSync(file)
  const all = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
  return Array.from({ length: all.length / marks }, (_, at) => all.subarray(at * marks, (at + 1) * marks))
}

const sum = (tallies: readonly Tally[], pick: (tally: Tally) => number) =>
  tallies.reduce((total, each) => total + pick(each), 0)

export async function openViewers({ port, viewers, marks, processes }: OpenViewers): Promise<Viewers> {
  const folder = makeTempFolder('viewers')
  const files = Array.from({ length: processes }, (_, at) => join(folder.path, `times-${at}`))
  const children: Child[] = files.map((file) => startChild('viewers.ts', [port, viewers / processes, marks, file]))
  const kill = async () => {
    await Promise.all(children.map((child) => child.kill()))
    folder.remove()
  }
  const ask = <T>(line: string, withinMs?: number) => {
    for (const child of children) child.tell(line)
    return Promise.all(children.map((child) => child.next<T>(line, withinMs)))
  }
  try {
    await Promise.all(children.map((child) => child.next('snapshot for every viewer', 60_000)))
  } catch (error) {
    await kill()
    throw error
  }
  return {
    kill,
    count: async () => void (await ask('count')),
    reached: async (mark, withinMs) => {
      const told = await ask<Reached>(String(mark), withinMs)
      return {
        seenMs: Math.max(...told.map(({ seenMs }) => seenMs)),
        liveMs: Math.max(...told.map(({ liveMs }) => liveMs)),
      }
    },
    stop: async () => {
      const tallies = await ask<Tally>('stop')
      const times = files.flatMap((file) => readTimes(file, marks))
      await kill()
      return {
        tally: {
          frames: sum(tallies, ({ frames }) => frames),
          snapshots: sum(tallies, ({ snapshots }) => snapshots),
          bytes: sum(tallies, ({ bytes }) => bytes),
          ended: sum(tallies, ({ ended }) => ended),
        },
        seenMs: Array.from({ length: marks }, (_, mark) => times.map((each) => each[mark] ?? Number.NaN)),
      }
    },
  }
}
