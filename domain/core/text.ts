import * as z from 'zod'

/** A lone surrogate has no UTF-8 encoding. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Text allowed in an event. Rejects what Postgres cannot store on input, before it reaches a projector. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !value.includes('\u0000'), { error: 'must not contain the character U+0000' })
    .refine((value) => !LONE_SURROGATE.test(value), { error: 'must not contain an unpaired surrogate' })

/** Turns external text into what `text(maxLength)` accepts: truncated, and without the characters it rejects. */
export function asText(value: string, maxLength: number): string {
  return value.replaceAll('\u0000', '').slice(0, maxLength).replaceAll(new RegExp(LONE_SURROGATE, 'gu'), '\ufffd')
}
