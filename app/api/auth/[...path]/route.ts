import { answerSignIn } from '../../../../server/api/sign-in.ts'
import { getRuntime } from '../../../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

const handler = (request: Request) => answerSignIn(request, getRuntime())

export { handler as GET, handler as POST }
