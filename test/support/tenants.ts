import * as z from 'zod'
import { comment, commentStreamId } from '../../domain/conversation/comment.ts'
import { competitor, competitorId } from '../../domain/analytics/competitor.ts'
import { credits } from '../../domain/video/credits.ts'
import { delivery, type DeliveryEvent } from '../../domain/webhook/delivery.ts'
import { post } from '../../domain/post/post.ts'
import { media } from '../../domain/media/media.ts'
import { metrics, postMetricsId } from '../../domain/analytics/post-metrics.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { user, userIdOf } from '../../domain/workspace/user.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { reply } from '../../domain/conversation/reply.ts'
import { receiveComment } from '../../commands/comment.ts'
import { createWorkspace } from '../../commands/create-workspace.ts'
import { addCompetitor } from '../../commands/competitor.ts'
import { grantCredits } from '../../commands/credits.ts'
import { handle } from '../../commands/handle.ts'
import { startUpload } from '../../commands/media.ts'
import { captureMetrics } from '../../commands/metrics.ts'
import { editDraft, openReply } from '../../commands/reply.ts'
import { createUser } from '../../commands/user.ts'
import { activityId } from '../../projections/models/activity.ts'
import { findReply } from '../../projections/models/replies.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { UPLOADS, type ApiWorld } from './api.ts'
import type { Answer } from './api-answer.ts'
import { sampleOf } from './json-schema.ts'
import type { Operation } from './openapi.ts'
import { ids } from './sandbox.ts'
import { until } from './service-process.ts'
import { causedBy, givenProcess } from './world.ts'

/** What one workspace has: an id for each kind of resource, by the path it is found under. */
export interface Tenant {
  readonly workspaceId: string
  readonly key: string
  readonly ids: Readonly<Record<string, string>>
  /** Text that is nobody else's business. */
  readonly texts: readonly string[]
}

/** @param title the workspace's name */
export async function givenTenant(api: ApiWorld, name: string, title = 'demo'): Promise<Tenant> {
  const workspaceId = resourceId('ws', ids.ulid())
  await handle(api.world, workspace, workspaceId, causedBy(ids.token()), (state) =>
    createWorkspace(state, { name: title }),
  )
  const key = await api.key({ workspaceId })
  const service = await givenProcess(api.world)
  const accounts = await api.world.account('x', workspaceId)
  const caption = `caption of ${name}`
  const hashtag = `#of${name}`
  const mediaUrl = `https://${name}.test/own.jpg`
  const posts = await service.queue({ workspaceId, caption, mediaUrl, selections: { x: ['acc_none', accounts] } })
  // Published on one account, so that it can be recycled, without a call to anybody; failed on the other, so that it can be retried.
  const data = { platform: 'x', accountId: accounts, attempt: 1, postId: '1' }
  const published: PostEvent = { type: 'AccountPublished', data }
  await handle(api.world, post, posts, causedBy(`${posts} is published`), () => [published])
  await givenNumbers(api, { workspaceId, postId: posts, accountId: accounts, platformPostId: data.postId, hashtag })
  const competitors = await givenCompetitor(api, { workspaceId, accountId: accounts, label: `rival of ${name}` })
  const hookUrl = `https://${name}.test/hook`
  const { webhooks, deliveries } = await givenWebhook(api, hookUrl, key)
  const label = `chat of ${name}`
  const channel = await api.call({
    method: 'POST',
    path: '/v1/notification-channels',
    key,
    body: { kind: 'slack', url: `https://${name}.test/chat`, label, topics: ['feed.failing'] },
  })
  const erased = await api.call({ method: 'POST', path: '/v1/erasures', key, body: { before: '2000-01-01T00:00:00Z' } })
  await service.drain()
  const scheduled = await api.call({
    method: 'POST',
    path: '/v1/posts/scheduled',
    key,
    body: { mediaUrl, mediaType: 'image', selections: { x: ['acc_none'] }, caption, date: '2099-12-31' },
  })
  const drafted = { mediaUrl, mediaType: 'image', selections: { x: ['acc_none'] }, caption }
  const awaiting = await api.call({
    method: 'POST',
    path: '/v1/posts/scheduled',
    key,
    body: {
      mediaUrl,
      mediaType: 'image',
      selections: { x: ['acc_none'] },
      caption,
      date: '2099-12-30',
      requestApproval: true,
    },
  })
  const link = await api.call({
    method: 'POST',
    path: `/v1/approvals/${String(awaiting.body['id'])}/links`,
    key,
    body: { label: `client of ${name}` },
  })
  const draft = await api.call({ method: 'POST', path: '/v1/drafts', key, body: drafted })
  const feed = await api.call({
    method: 'POST',
    path: '/v1/rss-feeds',
    key,
    body: {
      url: `https://${name}.test/feed.xml`,
      selections: { bluesky: ['acc_none'] },
      captionTemplate: caption,
      // Longer than a service is drained for.
      checkIntervalMinutes: 525_600,
    },
  })
  const rule = await api.call({ method: 'POST', path: '/v1/recycling-rules', key, body: { sourcePostId: posts } })
  const video = await api.call({
    method: 'POST',
    path: '/v1/videos',
    key,
    body: { prompt: caption, saveAsDraft: true },
  })
  const userName = `author-of-${name}`
  const users = userIdOf(userName)
  await handle(api.world, user, users, causedBy(users), (state) =>
    createUser(state, { workspaceId, name: userName, passwordId: users, role: 'author' }),
  )
  const invitation = await api.call({
    method: 'POST',
    path: '/v1/invitations',
    key,
    body: { role: 'reader', label: `guest of ${name}` },
  })
  const fileName = `${name}.jpg`
  const uploaded = await givenUpload(api, { workspaceId, fileName })
  const granted = { workspaceId, amount: 5, reason: caption }
  await handle(api.world, credits, workspaceId, causedBy(`${name} has credits`), (state) =>
    grantCredits(state, granted),
  )
  const { comments, replies } = await givenReply(api, { workspaceId, accountId: accounts, text: `comment to ${name}` })
  const sql = 'select label from read.accounts where id = $1'
  const { rows } = await api.world.db.query<{ label: string }>(sql, [accounts])
  const done = await api.world.db.query<{ position: string }>(
    'select position from read.activity where workspace_id = $1 order by position desc limit 1',
    [workspaceId],
  )
  return {
    workspaceId,
    key,
    ids: {
      accounts,
      posts,
      'scheduled-posts': String(scheduled.body['id']),
      approvals: String(awaiting.body['id']),
      links: String(link.body['id']),
      drafts: String(draft.body['id']),
      'recycling-rules': String(rule.body['id']),
      'rss-feeds': String(feed.body['id']),
      videos: String(video.body['id']),
      media: uploaded,
      'credits/ledger': `${workspaceId}:0000000000`,
      'credits/events': workspaceId,
      'slots/events': workspaceId,
      comments,
      replies,
      'replies/pending': replies,
      webhooks,
      deliveries,
      'notification-channels': String(channel.body['id']),
      erasures: String(erased.body['id']),
      users,
      invitations: String(invitation.body['id']),
      activity: activityId(done.rows[0] ?? { position: '' }),
      'analytics/top-posts': posts,
      'analytics/competitors': competitors,
    },
    texts: [
      caption,
      hashtag,
      mediaUrl,
      fileName,
      userName,
      `guest of ${name}`,
      hookUrl,
      label,
      `comment to ${name}`,
      `rival of ${name}`,
      `client of ${name}`,
      rows[0]?.label ?? caption,
    ],
  }
}

/** An upload that does not expire. */
async function givenUpload({ world }: ApiWorld, named: { workspaceId: string; fileName: string }): Promise<string> {
  const id = resourceId('med', ids.ulid())
  const announced = { contentType: 'image/jpeg', sizeBytes: 10, expiresAt: '2099-01-01T00:00:00Z' } as const
  const start = { ...named, ...announced, file: UPLOADS.fileOf(id, 'image/jpeg') }
  await handle(world, media, id, causedBy(id), (state) => startUpload(state, start))
  return id
}

/** A comment, and a reply to it that somebody has to decide on. Nothing of them changes by itself. */
async function givenReply(
  { world }: ApiWorld,
  { workspaceId, accountId, text }: { workspaceId: string; accountId: string; text: string },
) {
  const comments = `comment_${ids.ulid()}`
  const replies = resourceId('rep', ids.ulid())
  const key = { workspaceId, platform: 'x', accountId, commentId: comments, references: {} } as const
  const createdAt = isoTime(world.clock.now())
  const content = { ...key, kind: 'mention', author: 'Ada', text, createdAt, replied: false } as const
  await handle(world, comment, commentStreamId(accountId, comments), causedBy(comments), (state) =>
    receiveComment(state, content),
  )
  const opened = { ...key, commentText: text, commentAuthor: 'Ada', source: 'api' } as const
  await handle(world, reply, replies, causedBy(replies), (state) => openReply(state, opened, undefined))
  await handle(world, reply, replies, causedBy(`${replies} is edited`), (state) => editDraft(state, 'A draft'))
  // Nobody has asked the API for it, which would have waited.
  await until('the reply to be shown', 60_000, () => findReply(world.db, replies))
  return { comments, replies }
}

/** What the post has come to. */
async function givenNumbers(
  { world }: ApiWorld,
  {
    hashtag,
    ...of
  }: { workspaceId: string; postId: string; accountId: string; platformPostId: string; hashtag: string },
): Promise<void> {
  const id = postMetricsId(of.postId, of.accountId)
  const look = { ...of, platform: 'x' as const, publishedAt: isoTime(world.clock.now()), slot: 0 }
  const captured = {
    ...look,
    mediaType: 'image' as const,
    hashtags: [hashtag],
    metrics: { impressions: 100, likes: 3 },
  }
  await handle(world, metrics, id, causedBy(id), (state) => captureMetrics(state, captured))
}

async function givenCompetitor(
  { world }: ApiWorld,
  { workspaceId, accountId, label }: { workspaceId: string; accountId: string; label: string },
): Promise<string> {
  const [platform, externalId] = ['x', '2'] as const
  const id = competitorId(workspaceId, platform, externalId)
  const added = { workspaceId, platform, accountId, externalId, handle: 'rival', label }
  await handle(world, competitor, id, causedBy(id), (state) => addCompetitor(state, added))
  return id
}

/** Told of nothing that happens here, with one delivery that has arrived: nothing of it changes by itself. */
async function givenWebhook(api: ApiWorld, url: string, key: string) {
  const post = (path: string, body?: object) => api.call({ method: 'POST', path: `/v1/webhooks${path}`, key, body })
  const webhooks = String((await post('', { url, events: ['reply.sent'] })).body['id'])
  const deliveries = String((await post(`/${webhooks}/test`)).body['id'])
  const arrived: DeliveryEvent = { type: 'DeliverySucceeded', data: { attempt: 1, statusCode: 204, durationMs: 5 } }
  await handle(api.world, delivery, deliveries, causedBy(deliveries), () => [arrived])
  return { webhooks, deliveries }
}

/** The kind of resource that a name in a path or a body stands for: `{id}` of its path, `sourcePostId` of `posts`. */
export function kindOf(path: string, name: string): string {
  if (name === 'id') return path.split('/')[1] ?? ''
  if (name === 'assigneeId') return 'users'
  const last =
    name
      .replace(/Id$/, '')
      .split(/(?=[A-Z])/)
      .at(-1) ?? ''
  return `${last.toLowerCase()}s`.replace(/ys$/, 'ies')
}

/** One that an endpoint's selections may have. */
export function platformFor(path: string): string {
  return path.startsWith('/rss-feeds') ? 'bluesky' : 'x'
}

/** A query with what an operation requires in it. */
export function queryOf(required: readonly string[]): string {
  const known: Readonly<Record<string, string>> = { platform: 'x' }
  return required.length === 0 ? '' : `?${required.map((name) => `${name}=${known[name] ?? ''}`).join('&')}`
}

/** The plainest body that an operation takes, of what a workspace has. Where nothing is required its first field is given. */
export function bodyFor(
  { path, body: schema = {} }: Pick<Operation, 'path' | 'body'>,
  own: Tenant,
  idOf: (field: string) => string | undefined,
): unknown {
  const known: Readonly<Record<string, unknown>> = {
    platform: 'x',
    selections: { [platformFor(path)]: [own.ids['accounts']] },
    accounts: [own.ids['accounts']],
    url: 'https://example.com/feed.xml',
    events: ['reply.sent'],
    kind: 'slack',
    role: 'reader',
    active: true,
    allowDuplicate: true,
    // Too long for X, so that nothing is published.
    parts: [{ text: 'One' }, { text: 'Two '.repeat(100) }],
    name: 'demo',
    timezone: 'UTC',
    default: [],
    csv: `scheduled_for,accounts,media_urls\n2099-01-01 09:00,${own.ids['accounts']},https://example.com/a.jpg`,
    date: '2099-01-01',
    scheduledAtUtc: '2099-01-01T00:00:00Z',
  }
  // A post has media in one of two ways.
  const properties = Object.keys(schema.properties ?? {}).filter((name) => name !== 'media')
  const [first = ''] = schema.required?.length ? [] : properties
  const media = schema.properties && 'mediaUrl' in schema.properties ? ['mediaUrl', 'mediaType'] : []
  const address = schema.properties && 'botToken' in schema.properties ? ['url'] : []
  // A chain without a time is published now.
  const when = schema.properties && 'date' in schema.properties && path !== '/posts/chain' ? ['date'] : []
  const asked = {
    ...schema,
    required: first === '' ? [...(schema.required ?? []), ...media, ...when, ...address] : [first],
  }
  return sampleOf(asked, (field) => known[field] ?? (field.endsWith('Id') ? idOf(field) : undefined))
}

/** Ids of one kind that are not the caller's, by what is the matter with them. */
export function strangeIds(kind: string, victim: Tenant): Readonly<Record<string, string>> {
  const own = victim.ids[kind]
  if (own === undefined) throw new Error(`no tenant of this test has one of /${kind}: let givenTenant make one`)
  const prefix = own.split('_', 1)[0] ?? ''
  return {
    'another tenant’s': own,
    random: `${prefix}_${ids.ulid()}`,
    malformed: `${own}' or 1=1 --`,
    'of another type': Object.entries(victim.ids).find(([other]) => other !== kind)?.[1] ?? '',
    'in lower case': own.toLowerCase(),
    'a wildcard': `${prefix}_%`,
    'a path': `../${kind}/${own}`,
  }
}

const rowSchema = z.record(z.string(), z.unknown())

/**
 * Every row of the log and the read models that is the workspace's: it names the workspace, or one of its resources is
 * what the row is about. Rows of others that merely mention its ids do not count.
 */
export async function rowsOf({ world }: ApiWorld, { workspaceId, ids }: Tenant): Promise<readonly string[]> {
  const tables = await world.db.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('log', 'read') and table_name <> 'checkpoints' order by 1`,
  )
  const own = Object.values(ids)
  const isOwn = (text: string) => {
    if (text.includes(workspaceId)) return true
    const { id, stream, subject } = rowSchema.parse(JSON.parse(text))
    return [id, String(stream).replace(/^\w+-/, ''), subject].some((about) => own.includes(String(about)))
  }
  const kept: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await world.db.query<{ row: string }>(
      `select row_to_json(t)::text as row from ${name} t order by 1`,
    )
    kept.push(...rows.filter(({ row }) => isOwn(row)).map(({ row }) => `${name} ${row}`))
  }
  return kept
}

/** What of a workspace stands in an answer, apart from what the request itself said. */
export function revealed(of: Tenant, { text, headers }: Answer, given: string): readonly string[] {
  const said = `${text} ${JSON.stringify(headers)}`.replaceAll(given || '\0', '')
  return [of.workspaceId, ...Object.values(of.ids), ...of.texts].filter((secret) => said.includes(secret))
}
