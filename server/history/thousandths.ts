/** Values are stored as whole thousandths of a millisecond or per cent: two or three bytes instead of eight. */
export const toStored = (value: number) => BigInt(Math.round(value * 1_000))
export const fromStored = (stored: bigint) => Number(stored) / 1_000
