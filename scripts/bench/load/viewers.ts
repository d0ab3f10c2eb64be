/**
 * Many viewers in one process: sockets that read `live.events` and look for marks, nothing more.
 * Arguments: port, viewers, marks, file for the times (marks × viewers doubles, NaN for never).
 */
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tell, told } from './child.ts'
import { marksIn, sharedMs } from './marks.ts'

const [port, count, marks] = process.argv.slice(2, 5).map(Number) as [number, number, number]
const [, , , , , timesFile = ''] = process.argv

const request = `GET /api/trpc/live.events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`
const tally = { frames: 0, snapshots: 0, bytes: 0, ended: 0 }
const times = Array.from({ length: count }, () => new Float64Array(marks).fill(Number.NaN))
let counting = false
const LIVE = '"freshness":"live"'
const freshness = { live: false, sinceMs: 0 }
let awaited: number | null = null

/** Every viewer has the change, and the cluster counts as live. */
function tellIfReached(): void {
  if (awaited === null || !freshness.live) return
  const mark = awaited
  const atMs = times.map((seen) => seen[mark] ?? Number.NaN)
  if (atMs.some(Number.isNaN)) return
  awaited = null
  tell({ seenMs: Math.max(...atMs), liveMs: freshness.sinceMs })
}

function lookAtFreshness(frame: string, now: number): void {
  const at = frame.lastIndexOf('"freshness":"')
  if (at < 0) return
  const live = frame.startsWith(LIVE, at)
  if (live && !freshness.live) freshness.sinceMs = now
  freshness.live = live
}

function take(frame: string, seen: Float64Array, ready: () => void): void {
  if (frame.includes('"type":"snapshot"')) {
    if (counting) tally.snapshots += 1
    ready()
  }
  if (counting && frame.includes('data: {"id"')) tally.frames += 1
  const now = sharedMs()
  for (const mark of marksIn(frame)) if (Number.isNaN(seen[mark])) seen[mark] = now
  lookAtFreshness(frame, now)
  tellIfReached()
}

function open(seen: Float64Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let parts: string[] = []
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      if (counting) tally.bytes += chunk.length
      const end = chunk.lastIndexOf('\n\n')
      if (end < 0) return void parts.push(chunk)
      parts.push(chunk.slice(0, end))
      const text = parts.join('')
      parts = [chunk.slice(end)]
      for (const frame of text.split('\n\n')) take(frame, seen, resolve)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      tally.ended += 1
    })
  })
}

// A few at a time, as people come.
for (let at = 0; at < count; at += 10) await Promise.all(times.slice(at, at + 10).map(open))
tell('ready')
for (let line = await told(); line !== 'stop'; line = await told()) {
  if (line === 'count') {
    counting = true
    tell(tally)
  } else {
    awaited = Number(line)
    tellIfReached()
  }
}
writeFileSync(timesFile, Buffer.concat(times.map((each) => Buffer.from(each.buffer))))
tell(tally)
process.exit(0)
