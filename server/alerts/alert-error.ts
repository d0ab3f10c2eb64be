/** What is wrong with what somebody asked of alerts. The words are for whoever asked. */
export class AlertError extends Error {
  override readonly name = 'AlertError'
  readonly code: 'unknown' | 'over' | 'bad-input'

  constructor(code: AlertError['code'], message: string) {
    super(message)
    this.code = code
  }
}
