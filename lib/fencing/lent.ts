/** Called before each use with the method's name and arguments; throws to forbid it. */
export type UseCheck = (method: string, args: unknown[]) => void

/**
 * The handle as long as `check` allows: a callback that goes on after its transaction ended would otherwise
 * write outside of it, unguarded. What the `lending` methods give back (statements, iterators) is lent too.
 */
export function lend<T extends object>(handle: T, check: UseCheck, lending: readonly string[] = []): T {
  return new Proxy(handle, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function' || name === 'constructor') return value
      return (...args: unknown[]) => {
        check(String(name), args)
        const result: unknown = Reflect.apply(value, target, args)
        const isLent = typeof result === 'object' && result !== null && lending.includes(String(name))
        return isLent ? lend(result, check, lending) : result
      }
    },
  })
}

const COMMENT = /^(\s|;|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/
const CONTROL =
  /^(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(work\s+|transaction\s+)?to\b))\b/i

/** The statement that would end or begin a transaction, in capitals; savepoints are no business of ours. */
export function transactionControl(sql: unknown): string | undefined {
  if (typeof sql !== 'string') return undefined
  return CONTROL.exec(sql.replace(COMMENT, ''))?.[1]?.toUpperCase()
}
