import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Status } from '../meta/containers.ts'
import { pick } from '../meta/fields.ts'
import { DAY_S, postedToday } from '../meta/quota.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import type { InstagramContainers } from './containers.ts'
import { shownComment } from './comment-list.ts'
import { CONTAINER } from './ids.ts'
import { addMedia, shownMedia } from './media.ts'
import { pageRunBy } from './facebook-login.ts'
import { authenticate, type Caller } from './tokens.ts'

const publishForm = z.strictObject({ creation_id: z.string().min(1) })
const readQuery = z.strictObject({ fields: z.string().optional() })

const PROSE = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  EXPIRED: 'Expired: The container was not published within 24 hours.',
  PUBLISHED: 'Published: Media has been successfully published.',
} as const

/**
 * Creates, reads and publishes containers.
 *
 * @param quota how many posts an account may publish in 24 hours
 */
export function registerPublishing(
  app: FastifyInstance,
  containers: InstagramContainers,
  deps: StandInDeps,
  quota: number,
): void {
  const owner = (request: FastifyRequest<ById>): Caller => {
    const caller = authenticate(request, deps)
    if (request.params.id !== caller.account.externalId) throw unknownObject(request.params.id)
    return caller
  }
  const usage = (accountId: string): number => postedToday('instagram', accountId, deps)

  app.post<ById>('/v26.0/:id/media', (request, reply) => {
    const { account, parameters } = owner(request)
    return reply.send({ id: containers.create(account.externalId, parameters) })
  })

  app.post<ById>('/v26.0/:id/media_publish', (request, reply) => {
    const caller = owner(request)
    const { externalId } = caller.account
    const { creation_id: id } = decode(publishForm, caller.parameters)
    const container = containers.find(id, externalId)
    if (!container || container.isItem) {
      throw graphRefusal({ code: 24, subcode: 2207006, message: 'The requested resource does not exist' })
    }
    mustBePublishable(containers.status(container))
    if (usage(externalId) >= quota) {
      throw graphRefusal({ code: 9, subcode: 2207042, message: 'Application request limit reached' })
    }
    return answer(reply, 'publish', caller, deps, () => ({
      id: addMedia(container, containers.itemsOf(container), deps).id,
    }))
  })

  app.get<ById>('/v26.0/:id/content_publishing_limit', (request, reply) => {
    const { account, parameters } = owner(request)
    const { fields } = decode(readQuery, parameters)
    const config = { quota_total: quota, quota_duration: DAY_S }
    return reply.send({ data: [pick({ quota_usage: usage(account.externalId), config }, fields)] })
  })

  app.get<ById>('/v26.0/:id', async (request, reply) => {
    const caller = authenticate(request, deps)
    const { account, parameters } = caller
    const { id } = request.params
    const { fields } = decode(readQuery, parameters)
    const page = pageRunBy(caller, id, deps)
    if (page) return reply.send(pick(page, fields))
    const post = deps.ledger.post('instagram', id)
    if (post?.accountId === account.externalId) return reply.send(pick(shownMedia(post, deps), fields))
    const comment = deps.ledger.comment('instagram', id)
    if (comment?.accountId === account.externalId) return reply.send(pick(shownComment(comment, deps), fields))
    return reply.send(pick(shownStatus(id, await statusOf(id, account.externalId)), fields))
  })

  async function statusOf(id: string, accountId: string): Promise<Status> {
    const container = containers.find(id, accountId)
    if (container) return containers.look(container)
    // Whether Instagram forgets expired containers is unknown.
    if (id.startsWith(CONTAINER) && !containers.isKnown(id)) return { code: 'EXPIRED' }
    throw unknownObject(id)
  }
}

function mustBePublishable({ code }: Status): void {
  switch (code) {
    case 'FINISHED':
    case 'PUBLISHED':
      return
    case 'IN_PROGRESS':
      throw graphRefusal({ code: 9007, subcode: 2207027, message: 'The media is not ready for publishing' })
    case 'EXPIRED':
    case 'ERROR':
      throw graphRefusal({ code: 24, subcode: 2207008, message: 'The media builder has expired' })
  }
}

function shownStatus(id: string, status: Status): Readonly<Record<string, unknown>> {
  const prose =
    status.code === 'ERROR' ? `Error: Media upload has failed with error code ${status.fault}` : PROSE[status.code]
  return { id, status_code: status.code, status: prose }
}
