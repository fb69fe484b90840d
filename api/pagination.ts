import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../domain/errors.ts'

const LIMIT = { error: 'must be a whole number from 1 to 100' }

/** Query of every list endpoint (api-spec §4, Pagination). */
export const pageQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, LIMIT)
    .transform(Number)
    .pipe(z.int().min(1, LIMIT).max(100, LIMIT))
    .default(25)
    .describe('How many items to answer, 1 to 100.'),
  cursor: z.string().max(1000).optional().describe('`nextCursor` of the page before.'),
})

/** The place of a row in a list that is ordered newest first. */
const placeSchema = z.tuple([z.iso.datetime(), z.string()])

/** Cursors that only this service can make, each good for one list of one workspace. */
export interface Cursors {
  encode(list: string, workspaceId: string, place: { readonly created_at: string; readonly id: string }): string
  /** @throws Refusal invalid_request */
  decode(list: string, workspaceId: string, cursor: string): { readonly created_at: string; readonly id: string }
}

const MAC_BYTES = 16

export function createCursors(key: Buffer): Cursors {
  const mac = (list: string, workspaceId: string, payload: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([list, workspaceId, payload]))
      .digest()
      .subarray(0, MAC_BYTES)
  return {
    encode: (list, workspaceId, { created_at, id }) => {
      const payload = JSON.stringify([created_at, id])
      return Buffer.concat([mac(list, workspaceId, payload), Buffer.from(payload)]).toString('base64url')
    },
    decode: (list, workspaceId, cursor) => {
      const bytes = Buffer.from(cursor, 'base64url')
      const payload = bytes.subarray(MAC_BYTES).toString()
      const given = bytes.subarray(0, MAC_BYTES)
      // Decoding overlooks what is not base64url, so the cursor must be the one that these bytes make.
      const whole = given.length === MAC_BYTES && bytes.toString('base64url') === cursor
      if (!whole || !timingSafeEqual(given, mac(list, workspaceId, payload))) {
        throw new Refusal('invalid_request', 'cursor is not one that this list has answered')
      }
      const [created_at, id] = placeSchema.parse(JSON.parse(payload))
      return { created_at, id }
    },
  }
}

/** One page out of `limit + 1` rows: the extra row only tells that there is a next page. */
export function pageOf<Row extends { readonly created_at: string; readonly id: string }>(
  rows: readonly Row[],
  limit: number,
  encode: (place: Row) => string,
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last ? encode(last) : null }
}
