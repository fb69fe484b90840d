import * as z from 'zod'
import type { HttpResponse } from '../http/http.ts'

/** The error shapes of the providers' APIs, each mapped to its message. */
const words = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ detail: z.object({ message: z.string() }) }).transform(({ detail }) => detail.message),
  z
    .object({ detail: z.array(z.object({ msg: z.string() })).min(1) })
    .transform(({ detail }) => detail.map(({ msg }) => msg).join('; ')),
  z.object({ message: z.string() }).transform(({ message }) => message),
])

/** A provider's own error message. */
export function wordsIn(answer: HttpResponse): string | undefined {
  return words.safeParse(jsonIn(answer)).data
}

/** `undefined` if the body is not JSON: the answer may come from a proxy. */
export function jsonIn(answer: HttpResponse): unknown {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}
