import { check } from '../../api/http/validation.ts'
import { createCursors } from '../../api/http/pagination.ts'
import { channelRoutes } from '../../api/v1/notifications/channels.ts'
import { addChannelBody, ownChannelSchema } from '../../api/v1/notifications/channel-schemas.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { listChannels, findChannel } from '../../projections/models/channels.ts'
import { shown } from '../../api/kit/shown.ts'
import { webhookAddressCheck } from '../../reactors/webhooks/webhook-address.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import { oneWorkspace } from './workspaces.ts'

/** More than a workspace can have. */
const ALL = 1_000

type ChannelCore = Pick<
  Core,
  'db' | 'log' | 'clock' | 'ids' | 'vault' | 'seen' | 'ceilings' | 'policy' | 'settings' | 'derivationSecret'
>

export async function channelsOf({ db }: Pick<Core, 'db'>, workspace: string) {
  const { id: workspaceId } = await oneWorkspace({ db }, workspace)
  const rows = await listChannels(db, { workspaceId, userId: null, limit: ALL, after: undefined })
  return rows.map((row) => shown(ownChannelSchema, row))
}

/** @throws Refusal as the API does */
export async function addChannelTo(core: ChannelCore, workspace: string, given: object) {
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  return call(core, workspaceId, 'addNotificationChannel', { body: check(addChannelBody, given, 'options') })
}

export async function testChannel(core: ChannelCore, id: string) {
  return call(core, await workspaceOf(core, id), 'testNotificationChannel', { params: { id } })
}

export async function deleteChannel(core: ChannelCore, id: string): Promise<{ id: string; deleted: true }> {
  await call(core, await workspaceOf(core, id), 'removeNotificationChannel', { params: { id } })
  return { id, deleted: true }
}

async function workspaceOf({ db }: Pick<Core, 'db'>, id: string): Promise<string> {
  const row = await findChannel(db, id)
  if (!row) throw new Refusal('not_found', `There is no notification channel ${id}.`)
  return row.workspaceId
}

/** Does what the API does, as the user of the command line. */
async function call(
  core: ChannelCore,
  workspaceId: string,
  operationId: string,
  given: { readonly params?: object; readonly body?: object },
) {
  const routes = channelRoutes({
    ...core,
    cursors: createCursors(await core.derivationSecret()),
    refuseAddress: webhookAddressCheck(core),
    sendsMail: core.settings.SMTP_URL !== undefined,
  })
  const route = routes.find((one) => one.operationId === operationId)
  const { actor, correlationId: requestId } = commandLineCause(core.ids)
  const caller = { actor, workspaceId, scopes: [] }
  const request = { ...given, caller, requestId, work: core.ids.ulid() }
  return (await route?.handle(request as never))?.body ?? {}
}
