import { createServer, type Server, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startEtcd } from './etcd.ts'
import { type NetworkProxy, startProxy } from './proxy.ts'
import { connect } from './raw-etcd.ts'

let echo: Server
let proxy: NetworkProxy
const echoSockets = new Set<Socket>()

beforeEach(async () => {
  echo = createServer((socket) => {
    echoSockets.add(socket)
    socket.on('error', () => {}).pipe(socket)
  })
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  proxy = await startProxy({ target: `127.0.0.1:${(echo.address() as { port: number }).port}` })
})
afterEach(async () => {
  await proxy.stop()
  for (const socket of echoSockets) socket.destroy()
  echoSockets.clear()
  echo.close()
})

/** A client that remembers what it got and how it ended. */
function dial() {
  const socket = new Socket().connect(proxy.port, '127.0.0.1')
  const seen = { text: '', ended: '' }
  socket.on('data', (chunk) => {
    seen.text += chunk.toString()
  })
  socket.on('end', () => {
    seen.ended ||= 'end'
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    seen.ended ||= error.code ?? 'error'
  })
  return { socket, seen }
}

it('passes bytes both ways', async () => {
  const { socket, seen } = dial()
  socket.write('hello')
  await expect.poll(() => seen.text).toBe('hello')
  socket.destroy()
  await expect.poll(() => proxy.connections).toBe(0)
})

it('a black hole keeps sockets open, answers nothing, and delivers when it ends', async () => {
  const old = dial()
  old.socket.write('a')
  await expect.poll(() => old.seen.text).toBe('a')
  await proxy.setMode('black-hole')
  old.socket.write('b')
  const late = dial()
  late.socket.write('c')
  await pause(300)
  expect([old.seen, late.seen]).toEqual([
    { text: 'a', ended: '' },
    { text: '', ended: '' },
  ])
  await proxy.setMode('pass')
  await expect.poll(() => [old.seen.text, late.seen.text]).toEqual(['ab', 'c'])
})

it('cuts one direction alone, and delivers when that ends', async () => {
  const { socket, seen } = dial()
  socket.write('a')
  await expect.poll(() => seen.text).toBe('a')
  const arrived: string[] = []
  for (const upstream of echoSockets) upstream.on('data', (chunk) => arrived.push(String(chunk)))
  await proxy.setMode('no-answers')
  socket.write('b')
  await expect.poll(() => arrived).toEqual(['b'])
  await pause(200)
  expect(seen.text).toBe('a')
  await proxy.setMode('no-requests')
  await expect.poll(() => seen.text).toBe('ab')
  socket.write('c')
  await pause(200)
  expect(arrived).toEqual(['b'])
  await proxy.setMode('pass')
  await expect.poll(() => seen.text).toBe('abc')
})

it('loses requests for good', async () => {
  const { socket, seen } = dial()
  socket.write('a')
  await expect.poll(() => seen.text).toBe('a')
  await proxy.setMode('lose-requests')
  socket.write('b')
  await pause(200)
  await proxy.setMode('pass')
  socket.write('c')
  await expect.poll(() => seen.text).toBe('ac')
})

it('refuses, then listens again on the same port', async () => {
  const old = dial()
  old.socket.write('a')
  await expect.poll(() => old.seen.text).toBe('a')
  await proxy.setMode('refuse')
  await expect.poll(() => old.seen.ended).not.toBe('')
  const refused = dial()
  await expect.poll(() => refused.seen.ended).toBe('ECONNREFUSED')
  await proxy.setMode('pass')
  const next = dial()
  next.socket.write('b')
  await expect.poll(() => next.seen.text).toBe('b')
})

it('resets open and new connections', async () => {
  const old = dial()
  old.socket.write('a')
  await expect.poll(() => old.seen.text).toBe('a')
  await proxy.setMode('reset')
  await expect.poll(() => old.seen.ended).toBe('ECONNRESET')
  const next = dial()
  await expect.poll(() => next.seen.ended).toBe('ECONNRESET')
})

it('delays each direction and keeps the order', async () => {
  await proxy.setMode('delay', { delayMs: 150 })
  const { socket, seen } = dial()
  const sentAt = performance.now()
  for (const part of ['1', '2', '3', '4']) {
    socket.write(part)
    await pause(10)
  }
  await expect.poll(() => seen.text, { interval: 10 }).toBe('1234')
  expect(performance.now() - sentAt).toBeGreaterThan(290)
  expect(performance.now() - sentAt).toBeLessThan(900)
})

it('breaks and heals the way to a real etcd', async () => {
  const etcd = await startEtcd()
  const between = await startProxy({ target: etcd.endpoints[0] ?? '' })
  const client = connect([between.endpoint])
  try {
    await client.kv.put({ key: Buffer.from('k'), value: Buffer.from('v') })
    await between.setMode('black-hole')
    const deadline = Date.now() + 300
    await expect(client.kv.range({ key: Buffer.from('k') }, { deadline })).rejects.toThrow()
    await between.setMode('pass')
    await expect
      .poll(async () => (await client.kv.range({ key: Buffer.from('k') })).count, { timeout: 8_000 })
      .toBe('1')
  } finally {
    client.close()
    await between.stop()
    await etcd.stop()
  }
})
