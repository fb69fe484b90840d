import { z } from 'zod'

/** Text as it may enter an event: Postgres can't hold U+0000, so it is refused at the door rather than at a projector. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !value.includes('\u0000'), { error: 'must not contain the character U+0000' })
