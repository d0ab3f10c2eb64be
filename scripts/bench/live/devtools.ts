/** Calls of the Chrome DevTools Protocol over its web socket. */
export type Send = <T = unknown>(method: string, params?: object) => Promise<T>

export interface Connection {
  send: Send
  session(id: string): Send
}

interface Answer {
  id?: number
  result?: unknown
  error?: { message: string }
}

const ANSWER_WITHIN_MS = 60_000

export async function openConnection(address: string): Promise<Connection> {
  const socket = new WebSocket(address)
  const waiting = new Map<number, (answer: Answer) => void>()
  let lastId = 0
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error(`no connection to ${address}`))
  })
  socket.onmessage = ({ data }) => {
    const answer: Answer = JSON.parse(String(data))
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  }
  socket.onclose = () => {
    for (const settle of waiting.values()) settle({ error: { message: 'Chromium went away' } })
  }
  const call = <T>(sessionId: string | undefined, method: string, params: object): Promise<T> =>
    new Promise((resolve, reject) => {
      lastId += 1
      const id = lastId
      const settle = ({ result, error }: Answer) => {
        clearTimeout(timer)
        waiting.delete(id)
        if (error) reject(new Error(`${method}: ${error.message}`))
        else resolve(result as T)
      }
      const timer = setTimeout(() => settle({ error: { message: 'no answer' } }), ANSWER_WITHIN_MS)
      waiting.set(id, settle)
      socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }))
    })
  return {
    send: (method, params = {}) => call(undefined, method, params),
    session:
      (sessionId) =>
      (method, params = {}) =>
        call(sessionId, method, params),
  }
}
