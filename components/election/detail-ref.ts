import { parseRef } from '../../lib/election/ids.ts'
import { shortName } from '../../lib/election/names.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'

/** A name for an election of which only the reference is known; the reference itself when it is none. */
export function nameOfRef(reference: string): string {
  try {
    return shortName(base64FromLatin1(parseRef(reference).prefixLatin1), [])
  } catch {
    return reference
  }
}
