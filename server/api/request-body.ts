/** Bodies of requests, bounded in size and time. */

export type Body = { text: string } | { refused: 'too-large' | 'too-slow' | 'not-text' }

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, mostBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.length
    if (size > mostBytes) return null
    chunks.push(value)
  }
}

/** Reads no further than `mostBytes`, whatever the request said about its length. */
export async function readBody(request: Request, limits: { mostBytes: number; withinMs: number }): Promise<Body> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.mostBytes) return { refused: 'too-large' }
  const reader = request.body?.getReader()
  if (reader === undefined) return { text: '' }
  const collected = collect(reader, limits.mostBytes)
  const bytes = await withinTime(
    collected.then((found) => found ?? ('too-large' as const)),
    limits.withinMs,
  )
  if (bytes === null || bytes === 'too-large') {
    collected.catch(() => {})
    await reader.cancel().catch(() => {})
    return { refused: bytes ?? 'too-slow' }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { refused: 'not-text' }
  }
}
