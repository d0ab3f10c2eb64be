/** `GET /api/incident`: the report of an incident as a file. */
import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { z } from 'zod'
import { incidentMarkdown } from '../../lib/election/incident-markdown.ts'
import type { IncidentReport } from '../../lib/election/incident-report.ts'
import { fileName, fileTime } from '../../lib/shared/file-name.ts'
import type { Runtime } from '../runtime-slot.ts'
import { allow } from './allow.ts'
import { contextOf } from './context.ts'
import { readIncident } from './incident.ts'
import { incidentQuestion } from './incidents.ts'
import { asTrpcError } from './trpc.ts'

const FORMATS = {
  markdown: { type: 'text/markdown; charset=utf-8', extension: 'md', write: incidentMarkdown },
  json: {
    type: 'application/json; charset=utf-8',
    extension: 'json',
    write: (report: IncidentReport) => `${JSON.stringify(report, null, 2)}\n`,
  },
} as const

const format = z.enum(['markdown', 'json'], { error: 'must be markdown or json' })

export async function answerIncident(request: Request, runtime: Runtime): Promise<Response> {
  try {
    const context = await contextOf(request, runtime)
    const actor = allow(context, 'see')
    const { searchParams } = new URL(request.url)
    const refs = searchParams.getAll('ref')
    const { type, extension, write } = FORMATS[z.object({ format }).parse(Object.fromEntries(searchParams)).format]
    const asked = incidentQuestion.parse({ ...Object.fromEntries(searchParams), ...(refs.length > 0 ? { refs } : {}) })
    const report = await readIncident(context, actor, asked)
    const { cluster, from, to } = report
    const name = fileName(['tenure-incident', cluster, fileTime(from), fileTime(to)], extension)
    const headers = {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    }
    return new Response(write(report), { headers })
  } catch (error) {
    const told = error instanceof TRPCError ? error : asTrpcError(error)
    if (told === null) throw error
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
    return new Response(`${told.message}\n`, { status: getHTTPStatusCodeFromError(told), headers })
  }
}
