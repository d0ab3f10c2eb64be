const warned = new Set<string>()

/** Once a process: without a dashboard there is no kill switch, and nobody who raises the epoch after a restore. */
export async function warnWhenAlone(metaPrefix: string, etcd: { isAlone(): Promise<boolean> }): Promise<void> {
  if (warned.has(metaPrefix) || !(await etcd.isAlone())) return
  // Others may have asked at the same time.
  if (warned.has(metaPrefix)) return
  warned.add(metaPrefix)
  process.emitWarning(`nothing exists in etcd under ${metaPrefix}: no dashboard of Tenure has written there`, {
    type: 'TenureWarning',
    detail: 'The kill switch of a dashboard with another metaPrefix does not reach this candidate.',
  })
}
