import * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import type { Permission } from '../../../domain/core/scope.ts'
import { text } from '../../../domain/core/text.ts'
import { channel, type ChannelState } from '../../../domain/notification/channel.ts'
import { notification, notificationId } from '../../../domain/notification/notification.ts'
import { slotOf } from '../../../domain/notification/schedule.ts'
import { sentenceOf } from '../../../domain/notification/topic.ts'
import { addChannel, changeChannel, mustBeLive, removeChannel } from '../../../commands/channel.ts'
import { handle, load } from '../../../commands/handle.ts'
import { raiseNotice } from '../../../commands/notification.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { findChannel, listChannels, type ChannelRow } from '../../../projections/models/channels.ts'
import {
  confirmationsSince,
  listNotifications,
  type NotificationRow,
} from '../../../projections/models/notifications.ts'
import { causeOf } from '../../http/cause.ts'
import { route, type AnyRoute, type Caller, type RouteRequest } from '../../http/route.ts'
import { decider } from '../../kit/decide.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import {
  addChannelBody,
  changeChannelBody,
  channelSchema,
  notificationSchema,
  ownChannelSchema,
} from './channel-schemas.ts'
import { targetOf, type Given } from './channel-target.ts'

const TAG = 'Notifications'
const LIST = '/notification-channels'
const idParams = z.object({ id: text(100) })
const DAY_MS = 86_400_000
const CONFIRMATIONS_A_DAY = 20

type OwnChannel = z.infer<typeof ownChannelSchema>

/** Whose channels a set of routes is for. */
export interface Owner {
  readonly read: Permission
  readonly write: Permission
  /** What the ids of its operations begin with, after the verb. */
  readonly noun: string
  /** What they are shown as, and how one is added: only users have browsers. */
  readonly channel: z.ZodType<OwnChannel>
  readonly add: z.ZodType<Given>
  /** The user whose own channels they are; null for those of the workspace. */
  userIdOf(caller: Caller): string | null
  /** What the caller's browser is called, if known. */
  browserOf?(caller: Caller): Promise<string | undefined>
}

const WORKSPACE: Owner = {
  read: 'webhooks:read',
  write: 'webhooks:write',
  noun: 'NotificationChannel',
  channel: channelSchema,
  add: addChannelBody,
  userIdOf: () => null,
}

export type ChannelServices = Pick<
  Services,
  'db' | 'log' | 'clock' | 'vault' | 'seen' | 'ceilings' | 'cursors' | 'refuseAddress' | 'sendsMail'
>

/** Where people are notified of what needs them. */
export function channelRoutes(services: ChannelServices, owner: Owner = WORKSPACE): readonly AnyRoute[] {
  const { db, log, clock, vault, refuseAddress } = services
  const decide = decider(services, channel)

  const ownChannel = async (id: string, caller: Caller): Promise<ChannelRow> => {
    const row = owned(await findChannel(db, id), caller, 'notification channel')
    if (row.userId === owner.userIdOf(caller)) return row
    throw new Refusal('not_found', 'No such notification channel.')
  }
  const present = (id: string, state: ChannelState): OwnChannel => {
    const { addedAt, ...live } = mustBeLive(state)
    return shown(ownChannelSchema, { ...live, id, createdAt: addedAt })
  }
  const presentNotification = ({ notices, ...row }: NotificationRow): z.infer<typeof notificationSchema> =>
    shown(notificationSchema, {
      ...row,
      items: notices.map((notice) => ({ topic: notice.topic, about: notice.about, text: sentenceOf(notice) })),
    })
  /** So that nobody is flooded with mail by a workspace that they do not know. */
  const mustBeFew = async (workspaceId: string) => {
    if ((await confirmationsSince(db, workspaceId, isoTime(clock.now() - DAY_MS))) < CONFIRMATIONS_A_DAY) return
    const message = `The workspace has asked for ${CONFIRMATIONS_A_DAY} confirmations by e-mail within 24 hours. Try again tomorrow.`
    throw new Refusal('failed_precondition', message)
  }
  /** A message that was asked for, which is sent at once. */
  const send = async (request: RouteRequest<unknown, unknown, unknown>, id: string, state: ChannelState) => {
    const { status, workspaceId, ...times } = mustBeLive(state)
    const topic = status === 'active' ? 'test' : 'confirmation'
    if (topic === 'confirmation') await mustBeFew(workspaceId)
    const notice = { id: request.work, topic, about: id } as const
    const slot = slotOf(times, notice, clock.now())
    const notificationOf = notificationId(id, `${topic} ${request.work}`)
    const raised = await handle(services, notification, notificationOf, causeOf(request, notificationOf), (now) =>
      raiseNotice(now, { workspaceId, channelId: id, notice }, slot),
    )
    if (raised.position !== undefined) await services.seen.waitFor(raised.position)
  }

  return [
    route({
      method: 'POST',
      path: LIST,
      operationId: `add${owner.noun}`,
      summary: 'Add a place where people are notified',
      description:
        'E-mail, Slack, Discord, Telegram or ntfy. An e-mail address first gets a message with a link that confirms it. What belongs ' +
        'together arrives as one message.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: owner.write,
      body: owner.add,
      idempotent: true,
      answer: { status: 200, description: 'Added.', schema: owner.channel },
      handle: async (request) => {
        const { workspaceId } = request.caller
        const id = resourceId('chn', request.work)
        const { kind, label, topics, timezone, quietHours, digestAt } = request.body
        const { secret, address, url } = targetOf(request.body, await owner.browserOf?.(request.caller))
        if (kind === 'email' && !services.sendsMail) {
          throw new Refusal('failed_precondition', 'This service cannot send e-mail: its operator has to set SMTP_URL.')
        }
        const refusal = url === undefined ? undefined : await refuseAddress(url)
        if (refusal !== undefined) {
          const field = kind === 'push' ? 'subscription.endpoint' : 'url'
          throw new Refusal('invalid_request', `${field} cannot be called: ${refusal}`)
        }
        const userId = owner.userIdOf(request.caller) ?? undefined
        const command = {
          ...{ workspaceId, userId, kind, address, needsConfirmation: kind === 'email' },
          ...{ label, topics, timezone, quietHours, digestAt },
        }
        return services.ceilings.adding('channels', { workspaceId, id }, async () => {
          // Stored before the event, so that every message finds it, and after every check that can refuse the request.
          addChannel(await load(log, channel, id), command)
          if (kind === 'email') await mustBeFew(workspaceId)
          await vault.put(workspaceId, id, secret)
          const state = await decide(request, id, (now) => addChannel(now, command))
          if (kind === 'email') await send(request, id, state)
          return { status: 200, body: present(id, state) }
        })
      },
    }),

    listRoute(services, {
      path: LIST,
      operationId: `list${owner.noun}s`,
      summary: 'List the places where people are notified, newest first',
      tag: TAG,
      scope: owner.read,
      plural: 'channels',
      item: owner.channel,
      fetch: ({ workspaceId, limit, after }, { caller }) =>
        listChannels(db, { workspaceId, userId: owner.userIdOf(caller), limit, after }),
      present: (row) => shown(ownChannelSchema, row),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'PATCH',
      path: `${LIST}/{id}`,
      operationId: `change${owner.noun}`,
      summary: 'Change what is notified, and when',
      description: 'To change the address, remove the channel and add another.',
      tag: TAG,
      scope: owner.write,
      params: idParams,
      body: changeChannelBody,
      answer: { status: 200, description: 'Changed.', schema: owner.channel },
      handle: async (request) => {
        const { id } = request.params
        await ownChannel(id, request.caller)
        const given = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== undefined))
        const state = await decide(request, id, (now) => {
          const { label, topics, timezone, quietHours, digestAt } = mustBeLive(now)
          return changeChannel(now, { label, topics, timezone, quietHours, digestAt, ...given })
        })
        return { status: 200, body: present(id, state) }
      },
    }),

    route({
      method: 'DELETE',
      path: `${LIST}/{id}`,
      operationId: `remove${owner.noun}`,
      summary: 'Remove a place where people are notified',
      tag: TAG,
      scope: owner.write,
      params: idParams,
      answer: { status: 204, description: 'Removed. What was not sent yet is not sent.' },
      handle: async (request) => {
        const { id } = request.params
        await ownChannel(id, request.caller)
        await decide(request, id, (now) => removeChannel(now, 'requested'))
        await vault.remove(id)
        return { status: 204 }
      },
    }),

    route({
      method: 'POST',
      path: `${LIST}/{id}/test`,
      operationId: `test${owner.noun}`,
      summary: 'Send a test, or the link that confirms an e-mail address again',
      reachesOut: true,
      tag: TAG,
      scope: owner.write,
      params: idParams,
      idempotent: true,
      mayConflict: true,
      answer: { status: 200, description: 'It is being sent.', schema: owner.channel },
      handle: async (request) => {
        const { id } = request.params
        await ownChannel(id, request.caller)
        const state = await load(log, channel, id)
        await send(request, id, state)
        return { status: 200, body: present(id, state) }
      },
    }),

    listRoute(services, {
      path: `${LIST}/{id}/notifications`,
      operationId: `list${owner.noun}Messages`,
      summary: 'List what was sent there, newest first',
      tag: TAG,
      scope: owner.read,
      params: idParams,
      of: ({ id }) => id,
      plural: 'notifications',
      item: notificationSchema,
      fetch: async ({ limit, after }, { params: { id }, caller }) => {
        await ownChannel(id, caller)
        return listNotifications(db, { channelId: id, limit, after })
      },
      present: presentNotification,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),
  ]
}
