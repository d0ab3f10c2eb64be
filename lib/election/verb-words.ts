/** What people do, in words: pages and documents say the same. */

/** In the order in which they are offered. */
export const VERB_WORDS: Readonly<Record<string, string>> = {
  handoff: 'Hand off',
  engage: 'Engage kill switch',
  extend: 'Extend stop',
  release: 'Release kill switch',
  confirmRelease: 'Confirm release of kill switch',
  arm: 'Arm kill switch',
  confirmElection: 'Confirm election',
  acknowledgeRollback: 'Acknowledge rollback',
  alerts: 'Acknowledge or silence alerts',
  testChannel: 'Send test message',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  endSession: 'End session',
  changePassword: 'Change password',
  makeLink: 'Make one-time link',
  useLink: 'Use one-time link',
  addPerson: 'Add person',
  changeRole: 'Change role',
  disablePerson: 'Disable person',
  enablePerson: 'Enable person',
  makeToken: 'Make API token',
  revokeToken: 'Revoke API token',
  refuse: 'Refusals of strangers',
}

/** A verb that a newer server knows is shown as it is. */
export const verbWords = (verb: string) => (Object.hasOwn(VERB_WORDS, verb) ? (VERB_WORDS[verb] ?? verb) : verb)

/** With what was asked: a release that waits for a second person releases nothing yet. */
export function deedWords({ verb, asked }: { verb: string; asked?: unknown }): string {
  const waits = typeof asked === 'object' && asked !== null && 'waits' in asked && asked.waits === true
  return verb === 'release' && waits ? 'Ask for release of kill switch' : verbWords(verb)
}
