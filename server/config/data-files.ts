/** What stands in a data folder, by name. */
import { join } from 'node:path'

/** Elections, terms, samples; people and sessions are in it as well. */
export const historyFile = (folder: string) => join(folder, 'history.sqlite')
export const auditFile = (folder: string) => join(folder, 'audit.sqlite')
/** What fired, who was told, silences. */
export const alertsFile = (folder: string) => join(folder, 'alerts.sqlite')
/** Signs the cookies of sessions. */
export const secretFile = (folder: string) => join(folder, 'auth-secret')
