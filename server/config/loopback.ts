const LOOPBACK_ADDRESS = /^(localhost|127(\.\d{1,3}){3}|::1)$/

/** Reached from this machine alone. */
export const isLoopbackAddress = (host: string): boolean => LOOPBACK_ADDRESS.test(host)
