import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answerGraph } from './answer.ts'
import type { Container, Containers, Status } from './containers.ts'
import { pick, type ById } from './edges.ts'
import { addMedia, shownMedia } from './media.ts'
import { decode, GraphRefusal, unknownObject } from './refusal.ts'
import { authenticate, type Caller } from './tokens.ts'

const DAY_MS = 86_400_000

const auth = { access_token: z.string().optional(), appsecret_proof: z.string().optional() }
const publishForm = z.strictObject({ ...auth, creation_id: z.string().min(1) })
const readQuery = z.strictObject({ ...auth, fields: z.string().optional() })

const PROSE = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  EXPIRED: 'Expired: The container was not published within 24 hours.',
  PUBLISHED: 'Published: Media has been successfully published.',
} as const

/** Making, reading and publishing containers. @param quota how many posts an account may publish in 24 hours */
export function registerPublishing(
  app: FastifyInstance,
  containers: Containers,
  deps: StandInDeps,
  quota: number,
): void {
  const { ledger, clock } = deps
  const owner = (request: FastifyRequest<ById>): Caller => {
    const caller = authenticate(request, deps)
    if (request.params.id !== caller.account.externalId) throw unknownObject(request.params.id)
    return caller
  }
  const usage = (accountId: string): number => {
    const from = clock.now() - DAY_MS
    return ledger.posts('instagram', { accountId }).filter(({ createdAt }) => Date.parse(createdAt) > from).length
  }

  app.post<ById>('/v26.0/:id/media', (request, reply) => {
    const { account } = owner(request)
    return reply.send({ id: containers.create(account.externalId, request.body).id })
  })

  app.post<ById>('/v26.0/:id/media_publish', (request, reply) => {
    const caller = owner(request)
    const { externalId } = caller.account
    const { creation_id: id } = decode(publishForm, request.body)
    const container = containers.find(id, externalId)
    if (!container || container === 'lost') {
      throw new GraphRefusal({ code: 24, subcode: 2207006, message: 'The requested resource does not exist' })
    }
    mustBePublishable(containers.status(container))
    if (usage(externalId) >= quota) {
      throw new GraphRefusal({ code: 9, subcode: 2207042, message: 'Application request limit reached' })
    }
    return answerGraph(reply, 'publish', caller, deps, () => ({ id: addMedia(container, deps).id }))
  })

  app.get<ById>('/v26.0/:id/content_publishing_limit', (request, reply) => {
    const { account } = owner(request)
    const { fields } = decode(readQuery, request.query)
    const limit = {
      quota_usage: usage(account.externalId),
      config: { quota_total: quota, quota_duration: DAY_MS / 1_000 },
      id: undefined,
    }
    return reply.send({ data: [pick(limit, fields)] })
  })

  app.get<ById>('/v26.0/:id', async (request, reply) => {
    const { account } = authenticate(request, deps)
    const { id } = request.params
    const { fields } = decode(readQuery, request.query)
    const post = ledger.post('instagram', id)
    if (post?.accountId === account.externalId) return reply.send(pick(shownMedia(post, deps), fields))
    const container = containers.find(id, account.externalId)
    if (!container) throw unknownObject(id)
    const status = container === 'lost' ? lost(id, account.externalId) : await containers.look(container)
    return reply.send(pick(shownStatus(id, status), fields))
  })

  /** As good as expired: it can't be published any more, unless it was before. */
  function lost(token: string, accountId: string): Status {
    const published = ledger.posts('instagram', { accountId, token }).length > 0
    return { code: published ? 'PUBLISHED' : 'EXPIRED' }
  }
}

function mustBePublishable({ code }: Status): void {
  switch (code) {
    case 'FINISHED':
    case 'PUBLISHED':
      return
    case 'IN_PROGRESS':
      throw new GraphRefusal({ code: 9007, subcode: 2207027, message: 'The media is not ready for publishing' })
    case 'EXPIRED':
    case 'ERROR':
      throw new GraphRefusal({ code: 24, subcode: 2207008, message: 'The media builder has expired' })
  }
}

function shownStatus(id: Container['id'], status: Status): Readonly<Record<string, unknown>> {
  const prose =
    status.code === 'ERROR' ? `Error: Media upload has failed with error code ${status.subcode}` : PROSE[status.code]
  return { id, status_code: status.code, status: prose }
}
