import type { FastifyError, FastifyInstance } from 'fastify'
import * as z from 'zod'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { VideoJobs } from './ai/video-jobs.ts'
import { faultScriptSchema } from './faults.ts'
import { registerHistory } from './history.ts'
import type { LedgerAccount, LedgerComment, LedgerPost } from './ledger.ts'
import { registerRemovals } from './removal.ts'
import { decode, SandboxRefusal, sendError } from './refusal.ts'
import type { StandIn, StandInDeps } from './stand-in.ts'

const platform = z.enum(PLATFORM_KEYS)
const name = z.string().min(1).max(200)

const postsQuery = z.strictObject({ platform, accountId: name.optional() })
const commentsQuery = z.strictObject({ platform, accountId: name })
const newComment = z.strictObject({
  platform,
  accountId: name,
  postId: name.optional(),
  text: z.string().min(1).max(10_000),
  author: name,
})
const newApp = z.strictObject({
  platform,
  redirectUri: z.url().max(2_000),
  scopes: z.array(name).optional(),
  products: z.array(name).min(1).optional(),
  isConfigured: z.boolean().default(false),
})
const newReview = z.strictObject({ platform, isReviewed: z.boolean() })
/** As in TikTok's "URL properties". */
const urlProperty = z
  .string()
  .max(2_000)
  .regex(/^(?:https?:\/\/[^?#]+\/|[a-z0-9.-]+)$/, 'must be a domain, or a URL that ends with a slash')
const newUrlProperties = z.strictObject({ platform, verified: z.array(urlProperty).optional() })
const newAccount = z.strictObject({ platform, externalId: name.optional(), label: name.optional() })

export interface ControlDeps extends Omit<StandInDeps, 'baseUrl'> {
  readonly standIns: ReadonlyMap<PlatformKey, StandIn>
  readonly videos: VideoJobs
  baseUrl(platform: PlatformKey): string
}

/** `/_control/...`: what tests and demos do from outside the platforms. */
export function registerControl(app: FastifyInstance, deps: ControlDeps): void {
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler<FastifyError>((error, _request, reply) => sendError(error, reply))
  registerFaults(app, deps)
  registerAccounts(app, deps)
  registerHistory(app, deps)
  registerRemovals(app, deps)
  app.post('/apps', (request, reply) => {
    const { platform, redirectUri, products, isConfigured, ...given } = decode(newApp, request.body)
    const scopes = given.scopes ?? deps.standIns.get(platform)?.scopesOfProducts?.(products)
    const clientId = `app-${deps.ids.token().slice(0, 8)}`
    const registered = {
      ...{ platform, clientId, clientSecret: deps.ids.token(), redirectUri },
      ...(scopes && { scopes: [...scopes] }),
      ...(isConfigured && { configId: deps.ids.token() }),
    }
    deps.ledger.addApp(registered)
    return reply.code(201).send(registered)
  })
  app.post('/reviews', (request, reply) => {
    const review = decode(newReview, request.body)
    if (!deps.standIns.get(review.platform)?.reviewsApps) {
      throw new SandboxRefusal(400, 'invalid_request', `platform: ${review.platform} treats all apps alike here`)
    }
    deps.ledger.saveReview(review)
    return reply.code(201).send(review)
  })
  app.post('/url-properties', (request, reply) => {
    const { platform, verified } = decode(newUrlProperties, request.body)
    if (!deps.standIns.get(platform)?.verifiesUrls) {
      throw new SandboxRefusal(400, 'invalid_request', `platform: ${platform} fetches from all domains`)
    }
    const properties = { platform, ...(verified && { verified }) }
    deps.ledger.saveUrlProperties(properties)
    return reply.code(201).send(properties)
  })

  app.get('/posts', (request, reply) => {
    const { platform, accountId } = decode(postsQuery, request.query, 'query')
    const posts = deps.ledger.posts(platform, accountId === undefined ? undefined : { accountId })
    return reply.send(posts.map((post) => shownPost(post, deps)))
  })

  app.get('/videos', (_request, reply) =>
    reply.send(deps.videos.list().map(({ progressPct: _, error: __, ...shown }) => shown)),
  )

  app.post('/comments', (request, reply) => {
    const { platform, accountId, postId, text, author } = decode(newComment, request.body)
    if (!deps.ledger.account(platform, accountId)) {
      throw new SandboxRefusal(400, 'invalid_request', `accountId: no such account on ${platform}`)
    }
    if (postId !== undefined && deps.ledger.post(platform, postId)?.accountId !== accountId) {
      throw new SandboxRefusal(400, 'invalid_request', 'postId: the account has no such post')
    }
    const given = { accountId, author, text, ...(postId !== undefined && { postId }) }
    const standIn = deps.standIns.get(platform)
    const own = standIn?.newComment?.(given, { ...deps, baseUrl: () => deps.baseUrl(platform) })
    const comment: LedgerComment = {
      ...(own ?? { id: deps.ids.token() }),
      ...given,
      platform,
      writtenBy: 'fan',
      createdAt: isoTime(deps.clock.now()),
    }
    deps.ledger.addComment(comment)
    return reply.code(201).send({ id: comment.id })
  })

  app.get('/comments', (request, reply) => {
    const { platform, accountId } = decode(commentsQuery, request.query, 'query')
    return reply.send(deps.ledger.commentsOf(platform, accountId).map(({ details: _, token: __, ...shown }) => shown))
  })
}

function registerFaults(app: FastifyInstance, { faults }: ControlDeps): void {
  app.post('/faults', (request, reply) => {
    const fault = decode(faultScriptSchema, request.body)
    faults.script(fault)
    return reply.code(201).send(fault)
  })
  app.get('/faults', (_request, reply) => reply.send(faults.pending()))
  app.delete('/faults', (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
}

function registerAccounts(app: FastifyInstance, deps: ControlDeps): void {
  const { ledger, ids, clock, standIns } = deps

  app.post('/accounts', (request, reply) => {
    const { platform, ...given } = decode(newAccount, request.body)
    const standIn = standIns.get(platform)
    if (!standIn) throw new SandboxRefusal(400, 'invalid_request', `platform: ${platform} has no stand-in`)
    const shown = ({ externalId, label, secrets }: LedgerAccount) => ({
      platform,
      externalId,
      label,
      credentials: secrets,
      baseUrl: deps.baseUrl(platform),
    })

    const externalId = given.externalId ?? standIn.newExternalId?.(ids) ?? `${platform}-${ids.token().slice(0, 8)}`
    const known = ledger.account(platform, externalId)
    if (known) return reply.send(shown(known))
    const account: LedgerAccount = {
      platform,
      externalId,
      label: given.label ?? externalId,
      secrets: standIn.issueCredentials(externalId, { ...deps, baseUrl: () => deps.baseUrl(platform) }),
      createdAt: isoTime(clock.now()),
    }
    ledger.saveAccount(account)
    return reply.code(201).send(shown(account))
  })
}

function shownPost(post: LedgerPost, { ledger }: ControlDeps) {
  const { id, platform, accountId, caption, mediaUrl, items, createdAt, isDraft, isHidden } = post
  const first = ledger
    .commentsUnder(platform, id)
    .find(({ writtenBy, inReplyTo }) => writtenBy === 'account' && inReplyTo === undefined)
  const further = {
    ...(items && { items }),
    ...(first && { firstComment: first.text }),
    ...(isDraft && { isDraft }),
    ...(isHidden && { isHidden }),
  }
  return { id, accountId, caption, mediaUrl, ...further, createdAt }
}
