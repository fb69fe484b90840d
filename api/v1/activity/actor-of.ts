import { Refusal } from '../../../domain/core/errors.ts'
import { ACTOR_KINDS, PEOPLE, RULE_IDS, type ActorKind } from '../../../domain/log/activity.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { ActivityPage } from '../../../projections/models/activity.ts'
import { listApiKeys } from '../../../projections/models/api-keys.ts'
import { listUsers } from '../../../projections/models/users.ts'

/**
 * Who is meant: a kind of actor, a rule, or the users and keys of the workspace with that name or id.
 *
 * @throws Refusal invalid_request when it is none of them
 */
export async function actorOf(db: Database, workspaceId: string, given: string): Promise<ActivityPage['actor']> {
  if (given === 'people') return { kinds: PEOPLE }
  if (isActorKind(given)) return { kinds: [given] }
  if (RULE_IDS.includes(given)) return { ids: [given] }
  const [keys, users] = await Promise.all([listApiKeys(db, workspaceId), listUsers(db, workspaceId)])
  const named = [...keys.map(({ id, label: name }) => ({ id, name })), ...users]
  const isMeant = (name: string) => name.toLowerCase() === given.toLowerCase()
  const ids = named.filter(({ id, name }) => id === given || isMeant(name)).map(({ id }) => id)
  if (ids.length > 0) return { ids }
  const words = ['people', ...ACTOR_KINDS, ...RULE_IDS].join(', ')
  throw new Refusal('invalid_request', `actor must be the name or id of a user or key of the workspace, or ${words}`, {
    details: [{ path: 'actor', message: 'is not known in the workspace' }],
  })
}

function isActorKind(given: string): given is ActorKind {
  return (ACTOR_KINDS as readonly string[]).includes(given)
}
