import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { handle } from '../../commands/handle.ts'
import { raiseNotice } from '../../commands/notification.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { notification, notificationId } from '../../domain/notification/notification.ts'
import { slotOf } from '../../domain/notification/schedule.ts'
import { userIdOf } from '../../domain/workspace/user.ts'
import { findMailbox } from '../../projections/models/channels.ts'
import { findUser, workspacesOf } from '../../projections/models/users.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { DashboardServices } from './services.ts'

const body = z.object({ name: z.string().min(1).max(200) })
/** Every answer takes at least this long (ms), so that its timing does not tell whether there is such a user. */
const LEAST_MS = 500

/**
 * `POST /forgotten-password`: sends a link to the e-mail address that the user confirmed last for their own notifications: a user has one
 * link, so another one would replace it. The answer is the same when there is no address, or no such user.
 */
export function forgottenPassword(
  app: FastifyInstance,
  services: DashboardServices,
  { limit, publicUrl }: { readonly limit: TimeLimit; readonly publicUrl: string | undefined },
): void {
  const { db, clock, ids, passwords, throttle, sendsMail } = services

  const send = async (userId: string, requestId: string) => {
    const user = await findUser(db, userId)
    // Somebody who joined by single sign-on comes in by their groups: no link of their own is a way around them.
    if (!user || !(await passwords.has(user.passwordId))) return
    const workspaceIds = (await workspacesOf(db, userId)).map(({ workspaceId }) => workspaceId)
    const mailbox = await findMailbox(db, workspaceIds, userId)
    if (!mailbox) return
    const { id: channelId, workspaceId, ...times } = mailbox
    const notice = { id: ids.token(), topic: 'password', about: userId } as const
    const id = notificationId(channelId, `password ${notice.id}`)
    const cause = { commandId: notice.id, actor: { kind: 'user', id: userId }, correlationId: id, requestId } as const
    await handle(services, notification, id, cause, (state) =>
      raiseNotice(state, { workspaceId, channelId, notice }, slotOf(times, notice, clock.now())),
    )
  }

  app.post('/forgotten-password', async (request, reply) => {
    const { name } = check(body, request.body, 'body')
    mustBeSameOrigin(request, publicUrl)
    if (!sendsMail) {
      throw new Refusal(
        'failed_precondition',
        'This service cannot send e-mail. Ask an owner of your workspace for a link.',
      )
    }
    const userId = userIdOf(name)
    mustBeAdmitted(await throttle.ofAddress(addressBlock(String(request.ip))), reply, clock)
    mustBeAdmitted(await throttle.ofReset(userId), reply, clock)
    await limit.keep(Promise.all([send(userId, request.id), clock.sleep(LEAST_MS)]))
    return { requestId: request.id }
  })
}
