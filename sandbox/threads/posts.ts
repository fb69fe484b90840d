import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import type { Container, Containers } from './containers.ts'
import { digits } from './ids.ts'
import { mustBeShort, newContainer } from './new-container.ts'
import { mustHaveQuota, quotaOf } from './quota.ts'
import { decode } from './refusal.ts'
import { asked, askedBy, chosen, type ByUser } from './request.ts'
import { postOf, shown } from './shown.ts'

const publishForm = z.strictObject({ creation_id: z.string().min(1) })
const fieldsOnly = z.strictObject({ fields: z.string().optional() })

/** Containers, publishing them, and looking at one object. */
export function registerPosts(app: FastifyInstance, all: Containers, deps: StandInDeps): void {
  app.post<ByUser>('/v1.0/:user/threads', (request, reply) => {
    const { account, parameters } = askedBy(request, deps)
    const given = decode(newContainer, parameters)
    const { text = '' } = given
    mustBeShort(text)
    const media =
      given.media_type === 'IMAGE'
        ? ({ mediaType: 'image', mediaUrl: given.image_url } as const)
        : ({ mediaType: 'video', mediaUrl: given.video_url } as const)
    return reply.send({ id: all.add({ accountId: account.externalId, text, ...media }) })
  })

  // Whether Threads publishes a container twice is not known. Here it does, so that it would show.
  app.post<ByUser>('/v1.0/:user/threads_publish', async (request, reply) => {
    const { account, parameters } = askedBy(request, deps)
    const { creation_id: id } = decode(publishForm, parameters)
    const container = await all.finished(account, id)
    mustHaveQuota(account, deps)
    return answer(reply, 'publish', account, deps, () => ({
      status: 200,
      body: { id: live(container, account, deps) },
    }))
  })

  app.get<ByUser>('/v1.0/:user/threads_publishing_limit', (request, reply) => {
    const { account, parameters } = askedBy(request, deps)
    const { fields } = decode(fieldsOnly, parameters)
    const { id: _, ...row } = chosen(fields, { id: account.externalId, ...quotaOf(account, deps) })
    return reply.send({ data: [row] })
  })

  app.get<{ Params: { id: string } }>('/v1.0/:id', async (request, reply) => {
    const { account, parameters } = asked(request, deps)
    const { fields } = decode(fieldsOnly, parameters)
    const { id } = request.params
    if (id === 'me' || id === account.externalId) {
      return reply.send(chosen(fields, { id: account.externalId, username: account.label, name: account.label }))
    }
    const post = postOf(account, id, deps)
    if (post) return reply.send(chosen(fields, shown(post, account)))
    const { status, error_message } = await all.look(account, id)
    return reply.send(chosen(fields, { id, status, error_message }))
  })
}

function live({ id: token, text, mediaUrl, mediaType, script }: Container, account: LedgerAccount, deps: StandInDeps) {
  const now = deps.clock.now()
  const post: LedgerPost = {
    id: digits(deps.ids),
    platform: 'threads',
    accountId: account.externalId,
    token,
    caption: text,
    mediaUrl,
    mediaType,
    createdAt: isoTime(now),
    details: { listedAt: isoTime(now + script.listedAfterS * 1_000) },
  }
  deps.ledger.addPost(post)
  return post.id
}
