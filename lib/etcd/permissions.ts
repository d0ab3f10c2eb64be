/** What an account may read and write, as etcd's own roles say. */
import type { Etcd3 } from 'etcd3'
import type { KeySpan } from '../election/ports.ts'
import { isDenied } from './errors.ts'

const ROOT = 'root'

const OTHER = { read: 'Write', write: 'Read' } as const

/** As the roles have them; null when there is no limit, undefined when etcd does not tell. */
export async function permittedSpans(
  client: Etcd3,
  { user, right }: { user: string; right: keyof typeof OTHER },
  deadline: number,
): Promise<KeySpan[] | null | undefined> {
  try {
    const { roles } = await client.auth.userGet({ name: user }, { deadline })
    if (roles.includes(ROOT)) return null
    const answers = await Promise.all(roles.map((role) => client.auth.roleGet({ role }, { deadline })))
    const granted = answers.flatMap(({ perm }) => perm).filter(({ permType }) => permType !== OTHER[right])
    return granted.map(({ key, range_end }) => ({
      key,
      end: range_end.length === 0 ? Buffer.concat([key, Buffer.of(0)]) : range_end,
    }))
  } catch (error) {
    if (isDenied(error)) return undefined
    throw error
  }
}
