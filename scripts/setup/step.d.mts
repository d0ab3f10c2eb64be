export class StepFailed extends Error {
  constructor(message: string, logFile?: string)
  readonly logFile: string | undefined
}
export class StepAlreadyReported extends Error {}
export function step<T>(label: string, work: () => T | Promise<T>, detail?: (value: T) => string): Promise<T>
export function main(program: () => Promise<void>): Promise<void>
export function tellStepsOnStderr(): void
