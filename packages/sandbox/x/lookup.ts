import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import type { Naming } from './fields.ts'
import { postParameters, shownPosts } from './query.ts'
import { decode, missing } from './refusal.ts'
import { rowOf } from './rows.ts'
import { authenticate } from './tokens.ts'

const MOST_IDS = 100

const ids = z
  .string()
  .transform((given) => given.split(','))
  .refine((given) => given.every((id) => /^\d{1,19}$/.test(id)), 'has what is not an id')
  .refine((given) => given.length <= MOST_IDS, `at most ${MOST_IDS}`)

const oneId = z.strictObject({ id: z.string().regex(/^\d{1,19}$/, 'is not an id') })

/** `GET /2/tweets` and `GET /2/tweets/{id}`: posts by their ids, by any author. */
export function registerLookup(app: FastifyInstance, naming: Naming, deps: StandInDeps): void {
  const single = z.strictObject(postParameters(naming))
  const query = single.extend({ ids })

  app.get('/2/tweets/:id', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { id } = decode(oneId, request.params)
    const asked = decode(single, request.query)
    const row = rowOf(id, deps)
    const { data, ...includes } = shownPosts(row ? [row] : [], asked, naming)
    const body = row ? { data: data[0], ...includes } : { errors: [missing('tweet', 'id', id)] }
    return answerX(reply, 'metrics', account, deps, () => ({ status: 200, body }))
  })

  app.get('/2/tweets', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const asked = decode(query, request.query)
    const wanted = [...new Set(asked.ids)]
    const found = wanted.flatMap((id) => rowOf(id, deps) ?? [])
    const known = new Set(found.map(({ id }) => id))
    const errors = wanted.filter((id) => !known.has(id)).map((id) => missing('tweet', 'ids', id))
    return answerX(reply, 'metrics', account, deps, () => ({
      status: 200,
      body: {
        ...(found.length > 0 && shownPosts(found, asked, naming)),
        ...(errors.length > 0 && { errors }),
      },
    }))
  })
}
