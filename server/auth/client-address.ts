/** Set by the guard on every request, whatever the client sent: the address it came from. */
export const CLIENT_HEADER = 'x-tenure-client'
