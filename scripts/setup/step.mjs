import { relative } from 'node:path'

/** A step that cannot go on, with the remedy in its message and the log that tells more. */
export class StepFailed extends Error {
  constructor(message, logFile) {
    super(message)
    this.name = 'StepFailed'
    this.logFile = logFile
  }
}

const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
let output = process.stdout
/** For programs whose standard output is read by others. */
export function tellStepsOnStderr() {
  output = process.stderr
}
const line = (mark, label, detail, time) =>
  output.write(`${mark} ${label.padEnd(12)} ${detail.padEnd(52)} ${time.padStart(7)}\n`)

/**
 * Runs one step and prints one line with the time taken. `work` answers the value that later steps
 * use; `detail` makes the words of the line from it. A failing step ends the program with exit code 1.
 */
export async function step(label, work, detail = (value) => String(value ?? '')) {
  const startedAt = performance.now()
  try {
    const value = await work()
    line('✓', label, detail(value), seconds(startedAt))
    return value
  } catch (error) {
    line('✗', label, 'failed', seconds(startedAt))
    process.stderr.write(`\n${error instanceof StepFailed ? error.message : (error?.stack ?? error)}\n`)
    if (error?.logFile) process.stderr.write(`Log: ${relative(process.cwd(), error.logFile)}\n`)
    process.exitCode = 1
    throw new StepAlreadyReported(label)
  }
}

/** Thrown by `step` after it told the reader everything; `main` answers it with the exit code only. */
export class StepAlreadyReported extends Error {}

/** Runs a program made of steps: whatever it throws ends the process with exit code 1. */
export async function main(program) {
  try {
    await program()
  } catch (error) {
    if (error instanceof StepFailed) process.stderr.write(`${error.message}\n`)
    else if (!(error instanceof StepAlreadyReported)) process.stderr.write(`${error?.stack ?? error}\n`)
    process.exit(1)
  }
}
