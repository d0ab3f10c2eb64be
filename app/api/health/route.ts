import { healthOf } from '../../../server/api/health.ts'
import { getRuntime } from '../../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

export function GET(): Response {
  const health = healthOf(getRuntime())
  return Response.json(health, { status: health.ok ? 200 : 503 })
}
