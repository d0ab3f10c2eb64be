/** What people do besides acting on elections, as the audit log names it. */
export const ACCOUNT_VERBS = [
  'signIn',
  'signOut',
  'signOutEverywhere',
  'endSession',
  'changePassword',
  'makeLink',
  'useLink',
  'addPerson',
  'changeRole',
  'disablePerson',
  'enablePerson',
  'makeToken',
  'revokeToken',
] as const
export type AccountVerb = (typeof ACCOUNT_VERBS)[number]
