import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import { FAMILIES, namesOf, shown, type Naming } from './fields.ts'
import { decode, missing } from './refusal.ts'
import { rowOf } from './rows.ts'
import { authenticate } from './tokens.ts'

const MOST_IDS = 100

const ids = z
  .string()
  .transform((given) => given.split(','))
  .refine((given) => given.every((id) => /^\d{1,19}$/.test(id)), 'has what is not an id')
  .refine((given) => given.length <= MOST_IDS, `at most ${MOST_IDS}`)

/** `GET /2/tweets`: posts by their ids, by any author. */
export function registerLookup(app: FastifyInstance, naming: Naming, deps: StandInDeps): void {
  const family = FAMILIES[naming]
  const query = z.strictObject({ ids, [family.parameter]: namesOf(family.fields) })

  app.get('/2/tweets', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { ids, [family.parameter]: fields } = decode(query, request.query)
    const asked = [...new Set(z.array(z.string()).parse(ids))]
    const found = asked.flatMap((id) => rowOf(id, deps) ?? [])
    const known = new Set(found.map(({ id }) => id))
    const errors = asked.filter((id) => !known.has(id)).map((id) => missing('tweet', 'ids', id))
    return answerX(reply, 'metrics', account, deps, () => ({
      status: 200,
      body: {
        ...(found.length > 0 && { data: found.map((row) => shown(row, z.array(z.string()).parse(fields), family)) }),
        ...(errors.length > 0 && { errors }),
      },
    }))
  })
}
