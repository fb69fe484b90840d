import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import type { ControlDeps } from './control.ts'
import { isOfThisMachine } from './local-download.ts'
import { decode, SandboxRefusal } from './refusal.ts'
import { sendLocally } from './send-locally.ts'

const newRemoval = z.strictObject({
  platform: z.enum(PLATFORM_KEYS),
  accountId: z.string().min(1).max(200),
  url: z.url().max(2_000).refine(isOfThisMachine, 'must be of this machine'),
})

/** `POST /_control/removals`: the account's owner removes the app, and the platform calls the app's URL. */
export function registerRemovals(app: FastifyInstance, deps: ControlDeps): void {
  app.post('/removals', async (request, reply) => {
    const { platform, accountId, url } = decode(newRemoval, request.body)
    const account = deps.ledger.account(platform, accountId)
    if (!account) throw new SandboxRefusal(400, 'invalid_request', `accountId: no such account on ${platform}`)
    const standIn = deps.standIns.get(platform)
    const call = standIn?.removeApp?.(account, { ...deps, baseUrl: () => deps.baseUrl(platform) })
    if (!call) throw new SandboxRefusal(400, 'invalid_request', `platform: ${platform} does not report removals`)
    const answer = await sendLocally(url, call).catch((error: unknown) => {
      throw new SandboxRefusal(502, 'unreachable', `url: ${error instanceof Error ? error.message : ''}`)
    })
    return reply.send({ sent: call.body, ...answer })
  })
}
