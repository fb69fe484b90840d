import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import { FAMILIES, namesOf, type Naming } from './fields.ts'
import { decode, missing } from './refusal.ts'
import { strangerCalled, strangerOf } from './strangers.ts'
import { authenticate } from './tokens.ts'
import { shownUser, USER_FIELDS } from './user-fields.ts'
import { ownerOf, type User } from './users.ts'

/** Expansions lead to posts, which the sandbox does not attach to users. */
const EXPANSIONS = {
  old: ['affiliation.user_id', 'most_recent_tweet_id', 'pinned_tweet_id'],
  new: ['affiliation', 'most_recent_post_id', 'pinned_post_id'],
}

function userQuery(naming: Naming) {
  const { parameter, fields } = FAMILIES[naming]
  return z
    .strictObject({
      'user.fields': namesOf(Object.keys(USER_FIELDS)),
      expansions: namesOf(EXPANSIONS[naming]),
      [parameter]: namesOf(Object.keys(fields)),
    })
    .transform(({ 'user.fields': asked = [] }) => asked)
}
const byName = z.strictObject({ username: z.string().regex(/^[A-Za-z0-9_]{1,15}$/, 'is not a username') })
const byId = z.strictObject({ id: z.string().regex(/^\d{1,19}$/, 'is not an id') })

/** `GET /2/users/me`, by name and by id: accounts of the sandbox, and strangers. */
export function registerUsers(app: FastifyInstance, naming: Naming, deps: StandInDeps): void {
  const query = userQuery(naming)
  app.get('/2/users/me', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const asked = decode(query, request.query)
    const data = shownUser(ownerOf(account), asked, naming, deps)
    // Connecting an account requests no counts, so the fault `metrics` does not apply to it.
    if (!asked.includes('public_metrics')) return reply.send({ data })
    return answerX(reply, 'metrics', account, deps, () => ({ status: 200, body: { data } }))
  })

  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    [parameter, value]: readonly [string, string],
    user: User | undefined,
  ): Promise<FastifyReply> => {
    const account = authenticate(request.headers.authorization, deps)
    const asked = decode(query, request.query)
    const body = user ? { data: shownUser(user, asked, naming, deps) } : { errors: [missing('user', parameter, value)] }
    return answerX(reply, 'metrics', account, deps, () => ({ status: 200, body }))
  }

  app.get('/2/users/by/username/:username', (request, reply) => {
    const { username } = decode(byName, request.params)
    return answer(request, reply, ['username', username], userCalled(username, deps))
  })

  app.get('/2/users/:id', (request, reply) => {
    const { id } = decode(byId, request.params)
    const account = deps.ledger.account('x', id)
    return answer(request, reply, ['id', id], account ? ownerOf(account) : strangerOf(id))
  })
}

function userCalled(username: string, { ledger }: StandInDeps): User | undefined {
  const id = /^user(\d+)$/i.exec(username)?.[1]
  const account = id === undefined ? undefined : ledger.account('x', id)
  return account ? ownerOf(account) : strangerCalled(username)
}
