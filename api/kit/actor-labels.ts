import { actorSchema } from '../../domain/core/event.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { listApiKeys } from '../../projections/models/api-keys.ts'
import { listUsers } from '../../projections/models/users.ts'
import * as z from 'zod'

/** Who did something, with the name of the user or the label of the key. */
export const labelledActor = actorSchema.extend({ label: z.string().optional() })

/** What the users and the keys of a workspace are called, also those of the past, by id. */
export async function actorLabels(db: Database, workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const [keys, users] = await Promise.all([listApiKeys(db, workspaceId), listUsers(db, workspaceId)])
  return new Map([
    ...keys.map(({ id, label }) => [id, label] as const),
    ...users.map(({ id, name }) => [id, name] as const),
  ])
}
