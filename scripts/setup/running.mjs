import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir, workDir } from './paths.mjs'

const runDir = join(workDir, 'run')

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** A pid can be given to another program after a crash; where /proc tells, only a Node process counts. */
function isNode(pid) {
  try {
    return /node|tenure|next/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return true
  }
}

function readPid(file) {
  try {
    const pid = Number(JSON.parse(readFileSync(file, 'utf8')).pid)
    return Number.isInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/** Notes that this process runs Tenure from this checkout (until it ends; a stale note is harmless). */
export function noteRun(what) {
  mkdirSync(runDir, { recursive: true })
  const file = join(runDir, `${process.pid}.pid`)
  writeFileSync(file, `${JSON.stringify({ pid: process.pid, what })}\n`)
  process.on('exit', () => rmSync(file, { force: true }))
}

function noteNames() {
  try {
    return readdirSync(runDir)
  } catch {
    return []
  }
}

/** Every live Tenure of this checkout: its own notes, and the lock of the server in its data folder. */
export function runningHere() {
  const found = new Map()
  const notes = noteNames().map((name) => join(runDir, name))
  const dataDirs = [process.env.TENURE_DATA, join(rootDir, 'data')].filter(Boolean)
  for (const file of [...notes, ...dataDirs.map((dir) => join(dir, 'server.lock'))]) {
    const pid = readPid(file)
    if (pid === undefined || pid === process.pid || pid === process.ppid) continue
    if (isAlive(pid) && isNode(pid)) found.set(pid, file)
    else if (file.startsWith(runDir)) rmSync(file, { force: true })
  }
  return [...found].map(([pid, file]) => ({ pid, file }))
}
