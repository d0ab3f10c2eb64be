/** Secrets are read anew for every attempt: a file that was replaced counts with the next. */
import { readFileSync } from 'node:fs'
import { DeliveryError } from './channel.ts'

/** `what` as in "the token of Alertmanager". Throws `DeliveryError`, which says nothing of the content. */
export function readSecret(file: string, what: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new DeliveryError(`cannot read ${what} from ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
  if (text === '') throw new DeliveryError(`cannot read ${what} from ${file}: the file is empty`)
  if (/\p{Cc}/u.test(text))
    throw new DeliveryError(`cannot read ${what} from ${file}: it is more than one line of text`)
  return text
}
