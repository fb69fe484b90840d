import type { AnyRoute } from '../http/route.ts'
import type { Services } from '../kit/services.ts'
import { channelRoutes } from '../v1/notifications/channels.ts'
import { sessionOf } from './session.ts'

/** The notification channels of the signed-in user, whatever their role. */
export function ownChannelRoutes(services: Services): readonly AnyRoute[] {
  return channelRoutes(services, {
    ...{ read: 'dashboard', write: 'dashboard', noun: 'OwnNotificationChannel' },
    userIdOf: (caller) => sessionOf(caller).user.id,
  })
}
