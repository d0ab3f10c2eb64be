/** `GET /api/audit/export`: the audit log as a file, page by page, so that its size costs no memory. */
import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { z } from 'zod'
import { instant } from '../../lib/shared/clock.ts'
import type { Actor } from '../auth/person.ts'
import type { Audit, AuditEntry, AuditPage, AuditQuery } from '../history/audit.ts'
import type { Runtime } from '../runtime-slot.ts'
import { allow } from './allow.ts'
import { CSV_HEAD, csvOf } from './audit-csv.ts'
import { entryFor, filters, inOrder, ORDER, queryFor } from './audit-query.ts'
import { contextOf } from './context.ts'
import { asTrpcError } from './trpc.ts'

const PAGE = 500

const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8; header=present', head: CSV_HEAD, line: csvOf },
  // The text of an entry as its hash was made of it, with the hash as its last field.
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    line: (entry: AuditEntry) => `${JSON.stringify(entry)}\n`,
  },
}

const asked = filters
  .extend({ format: z.enum(['csv', 'jsonl'], { error: 'must be csv or jsonl' }) })
  .strict()
  .refine(inOrder, ORDER)

export async function answerExport(request: Request, runtime: Runtime): Promise<Response> {
  try {
    const actor = allow(await contextOf(request, runtime), 'see')
    const { format, ...given } = asked.parse(Object.fromEntries(new URL(request.url).searchParams))
    const query = queryFor(actor, { ...given, limit: PAGE })
    // Asked before the answer begins, so that a log that cannot be read is told by its status.
    const first = runtime.audit.list(query)
    const name = `tenure-audit-${instant(runtime.clock.nowMs()).slice(0, 19).replaceAll(':', '')}Z.${format}`
    const headers = {
      'Content-Type': FORMATS[format].type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    }
    return new Response(streamOf(runtime.audit, { actor, query, first }, FORMATS[format]), { headers })
  } catch (error) {
    return refused(error)
  }
}

interface Reading {
  actor: Actor
  query: AuditQuery
  first: AuditPage
}

/** A page is read when the one before it was taken. */
function streamOf(
  audit: Audit,
  { actor, query, first }: Reading,
  { head, line }: (typeof FORMATS)['csv'],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let page: AuditPage | null = first
  let before = head
  return new ReadableStream(
    {
      pull: (controller) => {
        if (page === null) return controller.close()
        const text = before + page.entries.map((entry) => line(entryFor(actor, entry))).join('')
        before = ''
        const cursor: string | undefined = page.nextCursor
        if (text !== '') controller.enqueue(encoder.encode(text))
        // A log that fails half way ends the download as broken, never as complete.
        page = cursor === undefined ? null : audit.list({ ...query, cursor })
        if (page === null) controller.close()
      },
    },
    { highWaterMark: 1 },
  )
}

function refused(error: unknown): Response {
  const told = error instanceof TRPCError ? error : asTrpcError(error)
  if (told === null) throw error
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(`${told.message}\n`, { status: getHTTPStatusCodeFromError(told), headers })
}
