'use client'
import { type ListParams, readParams, writeParams } from './list-params.ts'
import { useAddressParams } from './use-address-params.ts'

const ADDRESS = { read: readParams, write: writeParams }

/** What the list shows, kept in the address. */
export function useListParams(): [ListParams, (change: Partial<ListParams>) => void] {
  return useAddressParams(ADDRESS)
}
