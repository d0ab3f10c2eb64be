import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { rootDir } from '../setup/paths.mjs'

/** A test that failed: where it stands, its name, and the beginning of what it said. */
export interface Failure {
  file: string
  title: string
  message: string
}

/** Enough to see what was expected and what came instead. */
const MESSAGE_LINES = 12

function firstLines(text = ''): string {
  return stripVTControlCharacters(text).split('\n').slice(0, MESSAGE_LINES).join('\n')
}

interface VitestFile {
  name: string
  message?: string
  assertionResults?: { fullName: string; status: string; failureMessages?: string[] }[]
}

/** Of Vitest's JSON report. A file that could not be read at all has no test to name. */
export function vitestFailures(report: Record<string, unknown>): Failure[] {
  return ((report.testResults ?? []) as VitestFile[]).flatMap(({ name, message, assertionResults = [] }) => {
    const file = relative(rootDir, name)
    if (assertionResults.length === 0 && message) return [{ file, title: '', message: firstLines(message) }]
    const failed = assertionResults.filter((result) => result.status === 'failed')
    return failed.map(({ fullName, failureMessages }) => ({
      file,
      title: fullName,
      message: firstLines(failureMessages?.[0]),
    }))
  })
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: {
    title: string
    file: string
    line: number
    ok: boolean
    tests: { results: { error?: { message?: string } }[] }[]
  }[]
}

/** Of Playwright's JSON report. */
export function playwrightFailures(report: PlaywrightSuite): Failure[] {
  const own = (report.specs ?? []).filter((spec) => !spec.ok)
  return [
    ...own.map(({ title, file, line, tests }) => ({
      file: `e2e/specs/${file}:${line}`,
      title,
      message: firstLines(tests.flatMap((test) => test.results).find((result) => result.error)?.error?.message),
    })),
    ...(report.suites ?? []).flatMap(playwrightFailures),
  ]
}
