/** What is on the wire, byte for byte: records that others have written must be readable for ever. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { epochRecord } from './epoch.ts'
import { handoffRequest } from './handoff.ts'
import { presence } from './presence.ts'
import { reportBatch } from './reports.ts'
import { heldKey, switchRecord } from './switches.ts'

const FOLDER = join(import.meta.dirname, 'golden')
const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'wire-format.md')
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  epoch: epochRecord,
  switch: switchRecord,
  held: heldKey,
  handoff: handoffRequest,
  presence,
  reports: reportBatch,
}

/** Fields that came later: records without them are as good. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  switch: ['mode', 'log', 'released'],
  held: ['nonce', 'operation', 'by', 'layout', 'lease', 'identity', 'library'],
}

const files = readdirSync(FOLDER).map((name) => ({
  name,
  kind: name.split(/[-.]/)[0] ?? '',
  text: readFileSync(join(FOLDER, name), 'utf8'),
}))
const schemaOf = (kind: string) => {
  const schema = SCHEMAS[kind]
  if (schema === undefined) throw new Error(`no schema of "${kind}"`)
  return schema
}
const known = files.filter(({ name }) => !name.includes('unknown-version'))
const unknown = files.filter(({ name }) => name.includes('unknown-version'))

describe('a golden record', () => {
  test.each(known)('$name is read, and written again it is the same', ({ kind, text }) => {
    const schema = schemaOf(kind)
    const record = schema.parse(JSON.parse(text))
    // Nothing is dropped, added or turned into another type on the way.
    expect(record).toEqual(JSON.parse(text))
    expect(schema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record)
  })

  test.each(unknown)('$name is refused: what an unknown version says is not known', ({ kind, text }) => {
    const { error } = schemaOf(kind).safeParse(JSON.parse(text))
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain('v')
  })

  test.each(known)('$name lacks nothing that could be left out', ({ kind, text }) => {
    const whole = JSON.parse(text) as Record<string, unknown>
    for (const field of Object.keys(whole)) {
      const { [field]: _, ...rest } = whole
      const mayLack = ADDED[kind]?.includes(field) === true
      expect([field, schemaOf(kind).safeParse(rest).success]).toEqual([field, mayLack])
    }
  })

  test('of every kind is there', () => {
    expect([...new Set(known.map(({ kind }) => kind))].sort()).toEqual(Object.keys(SCHEMAS).sort())
  })
})

describe('docs/wire-format.md', () => {
  const examples = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text)
  const nameOf = (example: string) => files.find(({ text }) => text === example)?.name ?? example

  test('shows golden records, exactly', () => {
    const names = examples.map(nameOf)
    expect(names.filter((name) => !name.endsWith('.json'))).toEqual([])
  })

  test('shows one of each kind at least', () => {
    const kinds = new Set(examples.map((example) => nameOf(example).split(/[-.]/)[0]))
    expect([...kinds].sort()).toEqual(Object.keys(SCHEMAS).sort())
  })
})
