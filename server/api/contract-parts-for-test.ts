/** What the promised shapes are made of. */
import { z } from 'zod'

export const decimal = z.string().regex(/^(0|[1-9]\d{0,19})$/)
/** As `etcdctl` prints them: 16 digits. */
export const leaseHex = z.string().regex(/^[0-9a-f]{16}$/)
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const ms = z.number().nonnegative()
export const count = z.int().nonnegative()
export const bytes = { key: z.string().min(1), keyBase64: z.base64().min(1) }
