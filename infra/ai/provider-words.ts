import { z } from 'zod'
import type { HttpResponse } from '../http/http.ts'

/** The shapes of an error in the APIs of the providers, and what it says. */
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

/** What a provider says of an error, in its own words. */
export function wordsIn(answer: HttpResponse): string | undefined {
  return words.safeParse(jsonIn(answer)).data
}

/** An answer may come from whoever stands in between, and be no JSON at all: `undefined`. */
export function jsonIn(answer: HttpResponse): unknown {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}
