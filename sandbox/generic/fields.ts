import { z } from 'zod'

/** Characters (code points) of a post or a comment. */
const TEXT_LIMIT = 2_200

export const text = z
  .string()
  .refine((value) => [...value].length <= TEXT_LIMIT, `longer than ${TEXT_LIMIT} characters`)
export const name = z.string().min(1).max(200)

/** A route with an id in its path. */
export interface ById {
  Params: { id: string }
}
