export const CLIENT = 'tenure-ts'
/** As in package.json; `version.test.ts` keeps them equal. */
export const VERSION = '0.1.0'
