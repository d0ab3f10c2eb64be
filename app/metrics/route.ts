import { answerMetrics } from '../../server/api/metrics.ts'
import { getRuntime } from '../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

export function GET(request: Request): Promise<Response> {
  return answerMetrics(request, getRuntime())
}
