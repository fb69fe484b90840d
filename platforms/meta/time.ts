import { z } from 'zod'

/** Milliseconds since the epoch. Written as `2026-09-01T10:20:30+0000`; the standard has a colon in the offset. */
export function graphTime(text: string): number {
  return Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}

/** A time in an answer, as milliseconds since the epoch. */
export const time = z.string().transform(graphTime).pipe(z.number())

/** Meta's times have whole seconds: what came later in the same one is not older than `iso`. */
export function secondOf(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000) * 1000
}
