import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { metadataSchema, type NewEvent, type RecordedEvent } from '../../../domain/core/event.ts'
import { createCodec } from '../../../event-log/codec.ts'
import { linesOf } from './lines.ts'

/*
 * The file of `fanfare export` (docs/moving.md): JSON lines. A header, the events in log order, and a last line with the SHA-256
 * of everything before it, newlines included.
 */

/** In format 1, no event has a `schemaVersion`: versions of Fanfare that read only that one would ignore it. */
export const FORMAT = 2
export const LOGS = ['postgres', 'eventstoredb'] as const
const position = z.string().regex(/^\d+$/, 'must be a number in quotes')

const headerSchema = z.object({
  export: z.object({
    format: z.literal([1, FORMAT]),
    /** The version of the service. */
    version: z.string(),
    /** Identifies the database that has the credentials. */
    installation: z.uuid(),
    /** The log that the events came from. */
    log: z.enum(LOGS),
    /** Null: the whole log. */
    workspace: z.object({ id: z.string().min(1), name: z.string() }).nullable(),
    at: z.iso.datetime(),
  }),
})
export type Header = z.infer<typeof headerSchema>['export']

const eventSchema = z.object({
  stream: z.string().regex(/^[a-z_]+-[^\p{Cc}]{1,500}$/u, 'is not the name of a stream'),
  revision: z.int().nonnegative(),
  position,
  id: z.uuid(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  metadata: metadataSchema,
})

const endSchema = z.object({
  end: z.object({
    events: z.int().nonnegative(),
    streams: z.int().nonnegative(),
    /** The position of the last event read: the file has all requested events up to there. */
    position: z.string().regex(/^-1$|^\d+$/),
    sha256: z.string(),
  }),
})
export type End = z.infer<typeof endSchema>['end']

const formatSchema = z.object({ export: z.object({ format: z.unknown(), version: z.unknown() }) })

/**
 * The content of a line, with its number from 1. An event is in today's form, whichever version exported it; its position is the
 * one in its source log.
 */
export type Item =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'event'; readonly line: number; readonly event: RecordedEvent }
  | { readonly kind: 'end'; readonly end: End }

/** Writes lines and computes their checksum. */
export function lineWriter() {
  const hash = createHash('sha256')
  const line = (value: object): string => {
    const text = `${JSON.stringify(value)}\n`
    hash.update(text)
    return text
  }
  return {
    header: (header: Header) => line({ export: header }),
    event: ({ stream, revision, position, id, type, data, metadata }: RecordedEvent) =>
      line({ stream, revision, position: String(position), id, type, data, metadata }),
    end: (end: Omit<End, 'sha256'>) => line({ end: { ...end, sha256: hash.copy().digest('hex') } }),
  }
}

/**
 * Reads a file, validating each line, and the checksum and counts against what was read.
 *
 * @throws Refusal naming the line and the field
 */
export async function* itemsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Item> {
  const hash = createHash('sha256')
  const streams = new Set<string>()
  let [events, ended, lines] = [0, false, 0]
  for await (const { number, bytes } of linesOf(source)) {
    if (ended) throw wrong(number, 'comes after the last line of the export: are there two exports in the file?')
    lines = number
    const value = jsonOf(number, bytes)
    if (number === 1) yield { kind: 'header', header: headerOf(value) }
    else if ('end' in value) {
      const { end } = checked(number, endSchema, value)
      checkEnd(end, { sha256: hash.copy().digest('hex'), events, streams: streams.size })
      ended = true
      yield { kind: 'end', end }
    } else {
      const { position, ...event } = checked(number, eventSchema, value)
      events += 1
      streams.add(event.stream)
      yield { kind: 'event', line: number, event: codec.decode({ ...event, position: BigInt(position) }) }
    }
    hash.update(bytes).update('\n')
  }
  if (lines === 0) throw new Refusal('invalid_request', 'The file is empty.')
  if (!ended)
    throw new Refusal('invalid_request', `The file ends after line ${lines}, without its last line: it was truncated.`)
}

/** The content of an event, regardless of its position. */
export function contentOf({ id, type, data, metadata }: NewEvent): NewEvent {
  return { id, type, data, metadata }
}

export function wrong(line: number, what: string): Refusal {
  // Parts of it may come from the file; a terminal must not interpret them.
  return new Refusal('invalid_request', `line ${line}: ${what.replaceAll(/\p{Cc}/gu, '?')}`)
}

function headerOf(value: object): Header {
  const found = formatSchema.safeParse(value)
  if (!found.success) throw wrong(1, 'is not the header of a Fanfare export')
  const { format, version } = found.data.export
  if (format !== 1 && format !== FORMAT) {
    const made = `the file has format ${String(format)}, made by version ${String(version)}`
    throw wrong(1, `${made}; this version reads up to format ${FORMAT}: import it with the version that made it`)
  }
  return checked(1, headerSchema, value).export
}

function checkEnd(end: End, found: Pick<End, 'sha256' | 'events' | 'streams'>): void {
  const counts = `${found.events} events in ${found.streams} streams`
  if (end.events !== found.events || end.streams !== found.streams) {
    throw new Refusal(
      'invalid_request',
      `The file has ${counts}, but its last line says ${end.events} in ${end.streams}.`,
    )
  }
  if (end.sha256 !== found.sha256) {
    throw new Refusal(
      'invalid_request',
      'The file was changed after it was exported: its SHA-256 does not match its last line.',
    )
  }
}

const codec = createCodec()
const utf8 = new TextDecoder('utf-8', { fatal: true })

function jsonOf(line: number, bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Reported below.
  }
  throw wrong(line, 'is not a JSON object')
}

function checked<T>(line: number, schema: z.ZodType<T>, value: object): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw wrong(line, `${issue?.path.join('.')}: ${issue?.message}`)
}
