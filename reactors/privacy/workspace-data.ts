import type { EndedWorkspace } from '../../commands/end-workspace.ts'
import { transaction, type Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'

/**
 * What is kept of a workspace outside of its events, in an order in which each statement finds what it needs. The read models are
 * still there. The data key goes last, and the credentials with it.
 */
const DELETED = [
  `delete from service.idempotency_keys
   where api_key_id in (select id from read.api_keys where workspace_id = $1)
     or api_key_id in (select user_id || ' ' || workspace_id from read.members where workspace_id = $1)`,
  'delete from service.comment_checks where account_id in (select id from read.accounts where workspace_id = $1)',
  'delete from service.metric_checks where account_id in (select id from read.accounts where workspace_id = $1)',
  'delete from service.authorizations where workspace_id = $1',
  'delete from service.post_claims where workspace_id = $1',
  'delete from service.key_spending where workspace_id = $1',
  'delete from service.oauth_artifacts where grant_id in (select id from read.api_keys where workspace_id = $1)',
  'delete from service.restored_work where workspace_id = $1',
  'delete from service.data_keys where workspace_id = $1',
]

/** Also for a workspace from before encryption. */
const ERASED = `insert into service.event_keys (stream, workspace_id, secret, created_at, erasure_id, erased_at)
  values ('workspace-' || $1, $1, '', $3, $2, $3) on conflict do nothing`
/** Without a secret, a row's key is gone. The rows stay, so that their streams take no more personal data. */
const ERASE_KEYS = `update service.event_keys
  set secret = '', author = null, author_id = null, erasure_id = coalesce(erasure_id, $2), erased_at = coalesce(erased_at, $3)
  where workspace_id = $1 and (erasure_id is null or author is not null or author_id is not null)`

/** Deletes the keys, the credentials and the rest of what is kept of a workspace outside of the log. Repeatable. */
export async function deleteWorkspaceData(
  db: Database,
  {
    workspaceId,
    feedIds,
    endedUsers,
  }: Pick<EndedWorkspace, 'feedIds' | 'endedUsers'> & { readonly workspaceId: string },
  erasureId: string,
  at: string,
): Promise<void> {
  await transaction(db, async (client) => {
    await client.query(ERASED, [workspaceId, erasureId, at])
    await client.query(ERASE_KEYS, [workspaceId, erasureId, at])
    await client.query('delete from service.feed_checks where feed_id = any($1)', [feedIds])
    await client.query('delete from service.sessions where user_id = any($1)', [endedUsers.map(({ id }) => id)])
    await client.query('delete from service.passwords where id = any($1)', [
      endedUsers.map(({ passwordId }) => passwordId),
    ])
    // It may be encrypted with the key of another workspace.
    await client.query('delete from service.secrets where id = any($1)', [
      endedUsers.flatMap(({ totpId }) => totpId ?? []),
    ])
    for (const statement of DELETED) await client.query(statement, [workspaceId])
  })
}

/** The second steps that are encrypted with the workspace's key, of users who are in others, each with one of these. */
const SECOND_STEPS = `select distinct on (s.id) s.id, m.workspace_id from service.secrets s
  join read.users u on u.totp_id = s.id
  join read.members m on m.user_id = u.id and m.workspace_id <> s.workspace_id and not m.removed
  where s.workspace_id = $1 order by s.id, m.created_at`

/** Gives what its users sign in with to the other workspaces that they are in. Repeatable. */
export async function handOverSecondSteps(
  { db, vault }: { readonly db: Database; readonly vault: Pick<Vault, 'find' | 'put'> },
  workspaceId: string,
): Promise<void> {
  const { rows } = await db.query<{ id: string; workspace_id: string }>(SECOND_STEPS, [workspaceId])
  for (const { id, workspace_id: other } of rows) {
    const secret = await vault.find(id)
    if (secret) await vault.put(other, id, secret)
  }
}
