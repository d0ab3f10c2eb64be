/** Display names: the prefix without the watched prefix and outer slashes. */
import { escapeLatin1, latin1FromBase64 } from '../shared/bytes.ts'

/** `watched` are latin1 prefixes; the longest that fits is taken off. */
export function shortName(prefixBase64: string, watched: readonly string[]): string {
  const prefix = latin1FromBase64(prefixBase64)
  const under = watched.filter((start) => prefix.startsWith(start)).sort((a, b) => b.length - a.length)[0] ?? ''
  const name = prefix.slice(under.length).replace(/^\/+|\/+$/g, '')
  return escapeLatin1(name === '' ? prefix : name)
}
