import type { Database } from '../../infra/postgres/pool.ts'
import type { WebhookRow } from '../../projections/models/webhooks.ts'

export type Receiver = Pick<WebhookRow, 'id' | 'workspaceId' | 'events' | 'registeredPosition'>

/** The webhooks of some workspaces, and the log position that they reflect. One query: read separately, rows could be missing. */
const RECEIVERS = `
select c.position as as_of, coalesce((
  select json_agg(json_build_object('id', w.id, 'workspaceId', w.workspace_id, 'events', w.events,
    'registeredPosition', w.registered_position::text))
  from read.webhooks w where w.workspace_id = any($1)
), '[]') as receivers
from read.checkpoints c where c.name = 'webhooks'`

/** Undefined when the read model has not reached `position`: webhooks that it does not know yet would miss events. */
export async function receiversOf(
  db: Database,
  workspaceIds: readonly string[],
  position: bigint,
): Promise<readonly Receiver[] | undefined> {
  const { rows } = await db.query<{ as_of: string; receivers: readonly Receiver[] }>(RECEIVERS, [workspaceIds])
  const [view] = rows
  return view && BigInt(view.as_of) >= position ? view.receivers : undefined
}
