import * as z from 'zod'
import { actorSchema } from '../../domain/core/event.ts'
import type { Reviewer } from '../../domain/post/approval.ts'
import { serviceName } from '../../domain/log/activity.ts'
import { oneLine } from '../../domain/log/describe/wording.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { accountNamesIn } from '../../projections/models/accounts.ts'
import { listApiKeys } from '../../projections/models/api-keys.ts'
import { listUsers } from '../../projections/models/users.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'

/** Who did something. */
export const labelledActor = actorSchema.extend({ label: z.string().optional().describe('Its name, if it has one.') })

/** The same, also of what a guest did: the id is that of their link, and the label what they call themselves. */
export const labelledReviewer = labelledActor.extend({ kind: z.enum([...actorSchema.shape.kind.options, 'guest']) })

/** What people call the users, keys and accounts of a workspace, and the workspace itself, by id. */
export type Names = ReadonlyMap<string, string>

export async function namesIn(db: Database, workspaceId: string): Promise<Names> {
  const [keys, users, accounts, workspaces] = await Promise.all([
    listApiKeys(db, workspaceId),
    listUsers(db, workspaceId),
    accountNamesIn(db, workspaceId),
    findWorkspaces(db, workspaceId),
  ])
  const named = [
    ...keys.map(({ id, label }) => [id, label] as const),
    ...users.map(({ id, name }) => [id, name] as const),
    ...accounts,
    ...workspaces.map(({ id, name }) => [id, name] as const),
  ]
  return new Map(named.map(([id, name]) => [id, oneLine(name)]))
}

/** A key without a label, or one of another workspace, has only its id. */
export function actorName(actor: Reviewer, names: Names): string {
  if (actor.kind === 'guest') return oneLine(actor.label ?? 'without a name')
  const { kind, id } = actor
  return kind === 'reactor' ? serviceName(id) : names.get(id) || id
}

/** Any of these, in a sentence. */
const IDS = /\b(?:acc|key|user|ws)_[0-9A-Za-z]+/g

/** A sentence from the log, with names in place of ids. */
export function withNames(sentence: string, names: Names): string {
  return sentence.replace(IDS, (id) => names.get(id) || id)
}
