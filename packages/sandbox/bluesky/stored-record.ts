import { createHash } from 'node:crypto'
import * as z from 'zod'
import { cid } from './identity.ts'
import { COLLECTION } from './record-schema.ts'

export interface StoredRecord {
  readonly uri: string
  readonly cid: string
  readonly value: Readonly<Record<string, unknown>>
}

const detailsSchema = z.object({ cid: z.string(), record: z.record(z.string(), z.unknown()) })

/** What the ledger stores of a record beyond its common fields. */
export function detailsOf({ cid, value }: StoredRecord): z.infer<typeof detailsSchema> {
  return { cid, record: { ...value } }
}

/** Undefined when the row holds no record: a comment stored by an older sandbox. */
export function storedIn(row: {
  readonly id: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
}): StoredRecord | undefined {
  const details = detailsSchema.safeParse(row.details)
  return details.success ? { uri: row.id, cid: details.data.cid, value: details.data.record } : undefined
}

const answering = z.object({
  reply: z.object({ root: z.object({ uri: z.string() }), parent: z.object({ uri: z.string() }) }),
})

/** The URIs of what the record replies to, and of the post above all. */
export function repliesTo(record: Readonly<Record<string, unknown>>): { root: string; parent: string } | undefined {
  const { reply } = answering.safeParse(record).data ?? {}
  return reply && { root: reply.root.uri, parent: reply.parent.uri }
}

export function recordAt(did: string, rkey: string, value: Readonly<Record<string, unknown>>): StoredRecord {
  return { uri: uriOf(did, rkey), cid: recordCid(value), value }
}

export function uriOf(did: string, rkey: string): string {
  return `at://${did}/${COLLECTION}/${rkey}`
}

/** Who wrote the record. */
export function didIn(uri: string): string {
  return uri.split('/')[2] ?? ''
}

/** Equal for records of equal content, whatever the order of their keys. */
function recordCid(value: object): string {
  return cid(
    'record',
    createHash('sha256')
      .update(JSON.stringify(sorted(value)))
      .digest(),
  )
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}
