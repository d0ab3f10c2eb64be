/** The path as Next will read it: `/_next/../account` is `/account`. */
export function pathOf(url: string | undefined): string {
  const whole = `http://tenure.invalid${url ?? '/'}`
  return URL.canParse(whole) ? new URL(whole).pathname : ''
}
