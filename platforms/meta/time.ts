import * as z from 'zod'

/** Milliseconds since the epoch, from `2026-09-01T10:20:30+0000`: the offset lacks the standard's colon. */
export function graphTime(text: string): number {
  return Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}

/** A time in a response, as milliseconds since the epoch. */
export const time = z.string().transform(graphTime).pipe(z.number())

/** Rounds down to whole seconds, like Meta's times: anything later in the same second is not older than `iso`. */
export function secondOf(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000) * 1000
}
