/** Prefixes without those that lie under another one: each key is listed and watched once. */
export function mergePrefixes(prefixes: readonly string[]): string[] {
  const sorted = [...new Set(prefixes)].sort()
  return sorted.filter((prefix, at) => !sorted.slice(0, at).some((shorter) => prefix.startsWith(shorter)))
}
