import { findTool, provideTool, toolMissing } from './find-debian-tool.ts'

const alertmanager = {
  package: 'prometheus-alertmanager',
  programs: { alertmanager: ['prometheus-alertmanager', 'alertmanager'], amtool: ['amtool'] },
  variable: 'TENURE_TEST_ALERTMANAGER_BIN',
  folder: 'alertmanager',
} as const

export const findAlertmanager = () => findTool(alertmanager)
/** Why there is none here to test with; undefined when there is one. */
export const alertmanagerMissing = () => toolMissing(alertmanager)
export const provideAlertmanager = () => provideTool(alertmanager)
