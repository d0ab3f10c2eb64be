import { answerIncident } from '../../../server/api/incident-export.ts'
import { getRuntime } from '../../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

export function GET(request: Request): Promise<Response> {
  return answerIncident(request, getRuntime())
}
