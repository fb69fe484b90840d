import * as z from 'zod'
import { credits } from '../../../domain/video/credits.ts'
import { delivery } from '../../../domain/webhook/delivery.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { streamName, type RecordedEvent } from '../../../domain/core/event.ts'
import { media } from '../../../domain/media/media.ts'
import { post } from '../../../domain/post/post.ts'
import { recyclingRule } from '../../../domain/recycling/recycling-rule.ts'
import { reply } from '../../../domain/conversation/reply.ts'
import { feed } from '../../../domain/feed/rss-feed.ts'
import type { Scope } from '../../../domain/core/scope.ts'
import { text } from '../../../domain/core/text.ts'
import { causerOf, describeEvent } from '../../../domain/log/describe.ts'
import { workspace } from '../../../domain/workspace/workspace.ts'
import { video } from '../../../domain/video/video.ts'
import { webhook } from '../../../domain/webhook/webhook.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import { findDelivery } from '../../../projections/models/deliveries.ts'
import { findFeed } from '../../../projections/models/feeds.ts'
import { findUpload } from '../../../projections/models/media.ts'
import { findRecyclingRule } from '../../../projections/models/recycling-rules.ts'
import { findReply } from '../../../projections/models/replies.ts'
import { findAnyPost } from '../../../projections/models/scheduled-posts.ts'
import { eventsUntil } from '../../../projections/engine/row-at.ts'
import { findVideo } from '../../../projections/models/videos.ts'
import { findWebhook } from '../../../projections/models/webhooks.ts'
import { historyQuery, historySchema } from './history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { actorName, namesIn, type Names } from '../../kit/names.ts'
import { ownWebhook } from '../../kit/own-webhook.ts'
import { owned } from '../../kit/owned.ts'
import type { AnyRoute, Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

interface Audited {
  /** Path of a single resource, and the path parameter that holds its id. */
  readonly path: string
  readonly id: string
  readonly kind: { readonly category: string }
  readonly noun: string
  readonly tag: string
  readonly scope: Scope
  find(db: Database, id: string): Promise<{ readonly workspaceId: string } | undefined>
  /** Checks that the parent resource in the path belongs to the caller and contains this one. @throws Refusal */
  check?(services: Services, params: Readonly<Record<string, string>>, caller: Caller): Promise<void>
}

const AUDITED: readonly Audited[] = [
  ...[
    { path: '/posts', kind: post, noun: 'post', tag: 'Posts', scope: 'posts:read', find: findAnyPost } as const,
    { path: '/media', kind: media, noun: 'media', tag: 'Media', scope: 'posts:read', find: findUpload } as const,
    { path: '/videos', kind: video, noun: 'video', tag: 'Videos', scope: 'videos:read', find: findVideo } as const,
    {
      ...{ path: '/replies/pending', kind: reply, noun: 'reply', find: findReply },
      ...({ tag: 'Comments and replies', scope: 'comments:read' } as const),
    },
    { path: '/rss-feeds', kind: feed, noun: 'feed', tag: 'RSS feeds', scope: 'rss:read', find: findFeed } as const,
    {
      ...{ path: '/recycling-rules', kind: recyclingRule, noun: 'recycling rule', find: findRecyclingRule },
      ...({ tag: 'Recycling rules', scope: 'recycling:read' } as const),
    },
    {
      ...{ path: '/webhooks', kind: webhook, noun: 'webhook', find: findWebhook },
      ...({ tag: 'Webhooks', scope: 'webhooks:read' } as const),
    },
  ].map((audited) => ({ ...audited, path: `${audited.path}/{id}`, id: 'id' })),
  {
    ...{ path: '/webhooks/{id}/deliveries/{deliveryId}', id: 'deliveryId', kind: delivery, noun: 'delivery' },
    ...({ tag: 'Webhooks', scope: 'webhooks:read', find: findDelivery } as const),
    check: mustBeOfWebhook,
  },
]

/** What a workspace has one of. */
const OF_WORKSPACE = [
  {
    ...{ path: '/credits', kind: credits, noun: 'credits', operationId: 'listCreditEvents' },
    ...({ tag: 'Credits', scope: 'credits:read' } as const),
  },
  {
    ...{ path: '/slots', kind: workspace, noun: 'workspace', operationId: 'listSlotEvents' },
    ...({ tag: 'Slots', scope: 'posts:read' } as const),
  },
]

/** A resource's history: who did what, every attempt, answer and decision, oldest first. */
export function historyRoutes(services: Services): readonly AnyRoute[] {
  const { db } = services
  return [
    ...AUDITED.map(({ path, id: name, kind, noun, tag, scope, find, check }) =>
      listRoute(services, {
        path: `${path}/events`,
        operationId: `list${noun.replace(/(^| )./g, (start) => start.trim().toUpperCase())}Events`,
        summary: `List the events of a ${noun}, oldest first`,
        description: 'From the log: who did what, including each attempt and response, with a one-sentence summary.',
        tag,
        scope,
        params: paramsOf(path),
        query: historyQuery,
        of: (params) => String(params[name]),
        plural: 'events',
        item: historySchema,
        fetch: async ({ limit, after }, { params, query: { at }, caller }) => {
          const id = String(params[name])
          await check?.(services, params, caller)
          owned(await find(db, id), caller, noun)
          return history(services, streamName(kind, id), { limit, after, at }, caller)
        },
        present: ({ shown }) => shown,
        place,
      }),
    ),
    ...OF_WORKSPACE.map(({ kind, noun, path, ...of }) =>
      listRoute(services, {
        ...of,
        path: `${path}/events`,
        summary: `List the events of the ${noun}, oldest first`,
        description: 'From the log: who did what, and when.',
        query: historyQuery,
        plural: 'events',
        item: historySchema,
        fetch: async ({ limit, after, workspaceId }, { query: { at }, caller }) =>
          history(services, streamName(kind, workspaceId), { limit, after, at }, caller),
        present: ({ shown }) => shown,
        place,
      }),
    ),
  ]
}

async function mustBeOfWebhook(
  services: Services,
  { id = '', deliveryId = '' }: Readonly<Record<string, string>>,
  caller: Caller,
): Promise<void> {
  await ownWebhook(services, id, caller)
  const found = await findDelivery(services.db, deliveryId)
  // Another workspace's delivery is rejected later; do not reveal here which webhook it belongs to.
  if (found?.workspaceId !== caller.workspaceId || found.webhookId === id) return
  throw new Refusal('not_found', 'The webhook has no such delivery.')
}

function paramsOf(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return z.object(Object.fromEntries(names.map((name) => [name, text(100)])))
}

interface Entry {
  readonly revision: number
  readonly shown: z.infer<typeof historySchema>
}

function place({ revision, shown: { at } }: Entry) {
  return { at, id: String(revision) }
}

async function history(
  { db, log }: Services,
  stream: string,
  page: {
    readonly limit: number
    readonly after: { readonly id: string } | undefined
    readonly at: string | undefined
  },
  { workspaceId }: Caller,
): Promise<readonly Entry[]> {
  const { limit, after, at } = page
  const events = await log.read(stream, after === undefined ? 0 : Number(after.id) + 1)
  const names = await namesIn(db, workspaceId)
  return (at === undefined ? events : eventsUntil(events, at))
    .slice(0, limit)
    .map((event) => ({ revision: event.revision, shown: shownEvent(event, names) }))
}

function shownEvent(event: RecordedEvent, names: Names): Entry['shown'] {
  const { revision, type, data, metadata } = event
  const { at, requestId, correlationId, causationId } = metadata
  const by = causerOf(event)
  // What recognizes a link stays in the log.
  const { secretHash: _, ...fields } = data as { readonly secretHash?: string }
  return {
    ...{ revision, type, at, summary: describeEvent(event), by: { ...by, label: actorName(by, names) } },
    ...(requestId !== undefined && { requestId }),
    ...{ correlationId, causationId, data: fields },
  }
}
