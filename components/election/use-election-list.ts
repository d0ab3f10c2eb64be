'use client'
import { useMemo } from 'react'
import { countsOf, shownRows, worstRows } from './list-model.ts'
import { sorted } from './list-order.ts'
import type { ListParams } from './list-params.ts'
import { useHeldOrder } from './use-held-order.ts'
import { useRows } from './use-rows.ts'

const WORST = 5

/** The rows of the list as asked for, in the order that is right or held. */
export function useElectionList({ cluster, filter, query, sort }: ListParams) {
  const all = useRows()
  const { key, reversed } = sort
  const scoped = useMemo(() => (cluster === null ? all : all.filter((row) => row.cluster === cluster)), [all, cluster])
  const inOrder = useMemo(() => sorted(scoped, { key, reversed }), [scoped, key, reversed])
  const wanted = useMemo(() => shownRows(inOrder, filter, query), [inOrder, filter, query])
  const counts = useMemo(() => countsOf(scoped), [scoped])
  const worst = useMemo(() => worstRows(scoped, WORST), [scoped])
  const held = useHeldOrder(wanted, scoped, JSON.stringify([cluster, filter, query, key, reversed]))
  return { counts, worst, held }
}
