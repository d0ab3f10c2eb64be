import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataFolderInUse, lockDataFolder, lockHolder } from './data-lock.ts'

const MODULE = new URL('./data-lock.ts', import.meta.url).href
const SCRIPT = `
  const { lockDataFolder } = await import(${JSON.stringify(MODULE)})
  try {
    await lockDataFolder(process.argv[1])
    console.log('locked')
    setInterval(() => {}, 1000)
  } catch (error) {
    console.log(error.name + ': ' + error.message)
  }`

let dir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tenure-lock-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  rmSync(dir, { recursive: true })
})

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function start(): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return { child, said: String(said).trim() }
}

describe('the lock of the data folder', () => {
  it('needs no space on the disk: no journal, and no name where none can be written', async () => {
    const nameless = mkdirSync(join(dir, `server.lock.${process.pid}`), { recursive: true })
    expect(nameless).toBeDefined()
    const lock = await lockDataFolder(dir)
    expect(readdirSync(dir)).toEqual(['server.lock.db'])
    expect((await start()).said).toContain('in use by another process')
    lock.release()
    const named = await lockDataFolder(dir)
    expect(readdirSync(dir)).toEqual(['server.lock', 'server.lock.db'])
    named.release()
  })

  it('refuses a second process and names the first', async () => {
    const first = await start()
    expect(first.said).toBe('locked')
    const second = await start()
    expect(second.said).toContain('DataFolderInUse')
    expect(second.said).toContain(`process ${first.child.pid},`)
    expect(second.said).toContain(dir)
    await expect(lockDataFolder(dir)).rejects.toMatchObject({ holder: { pid: first.child.pid } })
    expect(lockHolder(dir)?.pid).toBe(first.child.pid)
  })

  it('is free again after kill -9, whatever server.lock says', async () => {
    const first = await start()
    await kill(first.child)
    expect(existsSync(join(dir, 'server.lock'))).toBe(true)
    expect(lockHolder(dir)).toBeNull()
    const second = await start()
    expect(second.said).toBe('locked')
    expect(JSON.parse(readFileSync(join(dir, 'server.lock'), 'utf8')).pid).toBe(second.child.pid)
  })

  it('does not take another process with the same pid for its holder', async () => {
    const reused = { pid: process.pid, startedAt: '2026-03-12T03:00:00.000Z', startTicks: '1' }
    writeFileSync(join(dir, 'server.lock'), JSON.stringify(reused))
    expect(lockHolder(dir)).toBeNull()
    const lock = await lockDataFolder(dir)
    expect(lockHolder(dir)?.pid).toBe(process.pid)
    lock.release()
  })

  it('lets exactly one of many that start at once in', async () => {
    const said = (await Promise.all(Array.from({ length: 6 }, start))).map((started) => started.said)
    expect(said.filter((line) => line === 'locked')).toHaveLength(1)
    expect(said.filter((line) => line.startsWith('DataFolderInUse'))).toHaveLength(5)
  })

  it('refuses a second lock within the process, until the first is released', async () => {
    const lock = await lockDataFolder(dir)
    await expect(lockDataFolder(dir)).rejects.toBeInstanceOf(DataFolderInUse)
    lock.release()
    lock.release()
    expect(lockHolder(dir)).toBeNull()
    const again = await lockDataFolder(dir)
    again.release()
  })

  it('is not fooled by a server.lock that is no JSON, and says so when it cannot name the holder', async () => {
    const lock = await lockDataFolder(dir)
    writeFileSync(join(dir, 'server.lock'), 'not json')
    await expect(lockDataFolder(dir)).rejects.toThrow(/in use by another process/)
    lock.release()
  })
})
