import { answerExport } from '../../../../server/api/audit-export.ts'
import { getRuntime } from '../../../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

export function GET(request: Request): Promise<Response> {
  return answerExport(request, getRuntime())
}
