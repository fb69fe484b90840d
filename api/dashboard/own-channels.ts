import * as z from 'zod'
import { route, type AnyRoute } from '../http/route.ts'
import { addOwnChannelBody, ownChannelSchema } from '../v1/notifications/channel-schemas.ts'
import { channelRoutes } from '../v1/notifications/channels.ts'
import type { DashboardServices } from './services.ts'
import { sessionOf } from './session.ts'

/** The notification channels of the signed-in user, whatever their role. */
export function ownChannelRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { sessions, pushKey } = services
  return [
    ...channelRoutes(services, {
      ...{ read: 'dashboard', write: 'dashboard', noun: 'OwnNotificationChannel' },
      ...{ channel: ownChannelSchema, add: addOwnChannelBody },
      userIdOf: (caller) => sessionOf(caller).user.id,
      browserOf: async (caller) => {
        const { tokenHash, user } = sessionOf(caller)
        const listed = await sessions.list(user.id)
        return listed.find((session) => session.tokenHash === tokenHash)?.browser ?? undefined
      },
    }),
    route({
      method: 'GET',
      path: '/push-key',
      operationId: 'getPushKey',
      summary: 'Get the key that a browser subscribes to notifications with',
      tag: 'Notifications',
      scope: 'dashboard',
      answer: { status: 200, description: 'In base64url.', schema: z.object({ publicKey: z.string() }) },
      handle: async () => ({ status: 200, body: { publicKey: pushKey } }),
    }),
  ]
}
