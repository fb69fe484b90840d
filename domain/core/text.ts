import { z } from 'zod'

/** Half of a surrogate pair is no character: it has no UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Text as it may enter an event: what Postgres can't hold is refused at the door rather than at a projector. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !value.includes('\u0000'), { error: 'must not contain the character U+0000' })
    .refine((value) => !LONE_SURROGATE.test(value), { error: 'must not contain half of a surrogate pair' })

/** Any text from outside as one that `text(maxLength)` takes: cut off, and without what it refuses. */
export function asText(value: string, maxLength: number): string {
  return value.replaceAll('\u0000', '').slice(0, maxLength).replaceAll(new RegExp(LONE_SURROGATE, 'gu'), '\ufffd')
}
