import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'

const LIMIT = { error: 'must be a whole number from 1 to 100' }

const limit = z
  .string()
  .regex(/^\d{1,3}$/, LIMIT)
  .transform(Number)
  .pipe(z.int().min(1, LIMIT).max(100, LIMIT))
  .default(25)
  .describe('Number of items to return, 1 to 100.')
const cursor = z.string().max(1000)

/** Query of every list endpoint (api-spec §4, Pagination). */
export const pageQuery = z.object({
  limit,
  cursor: cursor.optional().describe('`nextCursor` of the previous page.'),
})

/** Query of a list that clients poll for new items, oldest first. */
export const followQuery = z.object({
  limit,
  after: cursor.optional().describe('`nextCursor` of the previous response. Default: from the beginning.'),
})

/** The place of a row in a list ordered by time. */
const placeSchema = z.tuple([z.iso.datetime(), z.string()])
/** The place of a row in a ranking. */
const rankSchema = z.tuple([z.number(), z.string()])
const positionSchema = z.string().transform(BigInt)

/** Cursors that only this service can create, each valid for one list of one workspace. */
export interface Cursors {
  encode(list: string, workspaceId: string, place: Place): string
  /** @throws Refusal invalid_request */
  decode(list: string, workspaceId: string, cursor: string): Place
  /** For lists ordered by a number. */
  encodeRank(list: string, workspaceId: string, rank: Rank): string
  /** @throws Refusal invalid_request */
  decodeRank(list: string, workspaceId: string, cursor: string): Rank
  /** For lists ordered by log position. */
  encodePosition(list: string, workspaceId: string, position: bigint): string
  /** @throws Refusal invalid_request */
  decodePosition(list: string, workspaceId: string, cursor: string): bigint
}

export interface Place {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly id: string
}

export interface Rank {
  readonly value: number
  readonly id: string
}

const MAC_BYTES = 16

export function createCursors(key: Buffer): Cursors {
  const mac = (list: string, workspaceId: string, payload: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([list, workspaceId, payload]))
      .digest()
      .subarray(0, MAC_BYTES)
  const write = (list: string, workspaceId: string, value: unknown) => {
    const payload = JSON.stringify(value)
    return Buffer.concat([mac(list, workspaceId, payload), Buffer.from(payload)]).toString('base64url')
  }
  const read = (list: string, workspaceId: string, cursor: string, name: string): unknown => {
    const bytes = Buffer.from(cursor, 'base64url')
    const payload = bytes.subarray(MAC_BYTES).toString()
    const given = bytes.subarray(0, MAC_BYTES)
    // Decoding ignores characters outside base64url, so the bytes must encode back to the same cursor.
    const whole = given.length === MAC_BYTES && bytes.toString('base64url') === cursor
    if (!whole || !timingSafeEqual(given, mac(list, workspaceId, payload))) {
      throw new Refusal('invalid_request', `${name} is not a cursor of this list`)
    }
    return JSON.parse(payload)
  }
  return {
    encode: (list, workspaceId, { at, id }) => write(list, workspaceId, [at, id]),
    decode: (list, workspaceId, cursor) => {
      const [at, id] = placeSchema.parse(read(list, workspaceId, cursor, 'cursor'))
      return { at, id }
    },
    encodeRank: (list, workspaceId, { value, id }) => write(list, workspaceId, [value, id]),
    decodeRank: (list, workspaceId, cursor) => {
      const [value, id] = rankSchema.parse(read(list, workspaceId, cursor, 'cursor'))
      return { value, id }
    },
    encodePosition: (list, workspaceId, position) => write(list, workspaceId, position.toString()),
    decodePosition: (list, workspaceId, after) => positionSchema.parse(read(list, workspaceId, after, 'after')),
  }
}

/** One page out of `limit + 1` rows: the extra row only shows that there is a next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  encode: (last: Row) => string,
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last ? encode(last) : null }
}
