import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { grown } from '../growth.ts'
import type { StandInDeps } from '../stand-in.ts'
import { stranger } from '../stranger.ts'
import { answerXrpc } from './answer.ts'
import { accountOf, atIdentifier } from './identity.ts'
import { accountView } from './people.ts'
import { decode, invalid } from './refusal.ts'
import { listOf } from './repeated.ts'
import type { Sessions } from './sessions.ts'
import { strangerOf } from './strangers.ts'

const MOST_ACTORS = 25
/** Upper bound for the followers of a sandbox account. */
const MOST_FOLLOWERS = 5_000

const query = z.object({
  actors: listOf(atIdentifier).refine((actors) => actors.length <= MOST_ACTORS, `at most ${MOST_ACTORS}`),
})

/** `getProfile`, and `getProfiles`, which omits unknown actors, of accounts here and of strangers. */
export function registerProfiles(app: FastifyInstance, sessions: Sessions, deps: StandInDeps): void {
  app.get('/xrpc/app.bsky.actor.getProfile', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'access')
    const { actor } = decode(z.object({ actor: atIdentifier }), request.query)
    const profile = profileOf(actor, deps)
    if (!profile) throw invalid('Profile not found')
    return answerXrpc(reply, 'metrics', caller, sessions, deps, () => profile)
  })

  app.get('/xrpc/app.bsky.actor.getProfiles', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'access')
    const { actors } = decode(query, request.query)
    return answerXrpc(reply, 'metrics', caller, sessions, deps, () => {
      return { profiles: actors.flatMap((actor) => profileOf(actor, deps) ?? []) }
    })
  })
}

function profileOf(actor: string, deps: StandInDeps): object | undefined {
  const { clock, ledger } = deps
  const now = clock.now()
  const account = accountOf(actor, deps)
  if (account) {
    const { externalId, createdAt } = account
    const ownReplies = ledger.commentsOf('bluesky', externalId).filter(({ writtenBy }) => writtenBy === 'account')
    return {
      ...accountView(account),
      followersCount: grown(`followers:${externalId}`, now - Date.parse(createdAt), MOST_FOLLOWERS),
      followsCount: 0,
      postsCount: ledger.posts('bluesky', { accountId: externalId }).length + ownReplies.length,
    }
  }
  const person = strangerOf(actor)
  if (!person) return undefined
  const { followers, posts } = stranger(person.handle)
  return { ...person, followersCount: followers(now), followsCount: 0, postsCount: posts(now) }
}
