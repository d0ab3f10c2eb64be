/** The dashboard's API as a browser calls it, without a browser. */
import { randomBytes } from 'node:crypto'
import type { Operation } from '../../../lib/election/actions.ts'

export class DashboardClient {
  private readonly url: string

  constructor(url: string) {
    this.url = url
  }

  async query<T>(path: string, input: object): Promise<T> {
    const query = `?input=${encodeURIComponent(JSON.stringify(input))}`
    return this.answer(await fetch(`${this.url}/api/trpc/${path}${query}`), path)
  }

  async mutate<T>(path: string, input: object): Promise<T> {
    const headers = { 'content-type': 'application/json', origin: this.url }
    const init = { method: 'POST', headers, body: JSON.stringify(input) }
    return this.answer(await fetch(`${this.url}/api/trpc/${path}`, init), path)
  }

  /** Throws unless the operation was verified in etcd. */
  async act(path: string, input: object): Promise<Operation> {
    const operation = await this.mutate<Operation>(path, { ...input, operation: newOperation() })
    if (operation.outcome?.is !== 'verified') throw new Error(`${path}: ${JSON.stringify(operation.outcome)}`)
    return operation
  }

  private async answer<T>(response: Response, path: string): Promise<T> {
    const { result, error } = (await response.json()) as { result?: { data: T }; error?: { message: string } }
    if (result === undefined) throw new Error(`${path}: ${response.status} ${error?.message}`)
    return result.data
  }
}

export const newOperation = () => `op-${randomBytes(16).toString('hex')}`
