import { getRuntime } from '../../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return getRuntime().reports.answer(request)
}
