export function noteRun(what: string): void
export function runningHere(): { pid: number; file: string }[]
