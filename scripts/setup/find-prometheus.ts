import { findTool, provideTool, toolMissing } from './find-debian-tool.ts'

const prometheus = {
  package: 'prometheus',
  programs: { prometheus: ['prometheus'], promtool: ['promtool'] },
  variable: 'TENURE_TEST_PROMETHEUS_BIN',
  folder: 'prometheus',
} as const

export const findPrometheus = () => findTool(prometheus)
/** Why there is none here to test with; undefined when there is one. */
export const prometheusMissing = () => toolMissing(prometheus)
export const providePrometheus = () => provideTool(prometheus)
