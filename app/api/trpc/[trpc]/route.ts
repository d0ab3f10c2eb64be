import { answer } from '../../../../server/api/answer.ts'
import { getRuntime } from '../../../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

const handler = (request: Request) => answer(request, getRuntime())

export { handler as GET, handler as POST }
