import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { deliveryId } from '../../domain/webhook/delivery.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Attempt } from '../support/hostile-receivers.ts'
import type { Evidence, Exchange, ToldEvent } from './evidence.ts'

/** When all of it was, ms since the epoch. */
export const THEN = Date.UTC(2026, 0, 1)

/** An event of the log, as far as rules look at it. */
export function event(stream: string, type: string, data: object = {}): RecordedEvent {
  const metadata = {
    ...{ at: new Date(THEN).toISOString(), correlationId: 'c', causationId: 'c' },
    actor: { kind: 'reactor', id: 'publish' } as const,
  }
  return { id: 'id', stream, type, data, metadata, revision: 0, position: 0n }
}

export function exchange(method: string, path: string, given: Partial<Exchange> = {}): Exchange {
  return { method, path, sent: THEN, returned: THEN + 10, status: 200, ...given }
}

export const told: ToldEvent = {
  ...{ id: 'evt_1', event: 'post.published', createdAt: new Date(THEN).toISOString() },
  data: { runId: 'post_1' },
}
const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
const delivered = deliveryId(told.id, 'wh_1')

/** An attempt at the delivery, as it must be. @param at ms since the epoch */
export function attempt(at: number, given: Partial<Attempt> = {}): Attempt {
  const { id, event: name, createdAt, data } = told
  const body = JSON.stringify({ id, event: name, createdAt, data })
  const timestamp = new Date(at)
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': delivered,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(secret).sign(delivered, timestamp, body),
  }
  const way = { method: 'POST', path: '/hook', beganAt: at, endedAt: at + 5, status: 204 }
  return { id: delivered, headers, body, ...way, ...given }
}

/** A run in which every promise was kept. */
export const healthy: Evidence = {
  requested: {
    posts: new Map([['a', ['x', 'facebook']]]),
    firstComments: new Map([['a', ['facebook']]]),
    cancelled: ['cancelled'],
    either: [],
    videos: new Map([
      ['vid_1', 'ready'],
      ['vid_2', 'failed'],
    ]),
    answered: new Set(['well?']),
    comments: ['well?'],
    recycled: new Map(),
    disappointments: [],
  },
  history: [
    exchange('POST', '/posts', { key: 'a', status: 202, body: { runId: 'post_1', requestId: 'req_1' } }),
    exchange('POST', '/posts', {
      key: 'a',
      status: 202,
      body: { runId: 'post_1', requestId: 'req_2' },
      replayed: true,
    }),
    exchange('GET', '/posts/post_1', { sent: THEN + 20, returned: THEN + 30, body: { status: 'processing' } }),
    exchange('GET', '/posts/post_1', { sent: THEN + 40, returned: THEN + 50, body: { status: 'published' } }),
    exchange('GET', '/posts/post_0', {
      status: 404,
      body: { error: { code: 'not_found', message: 'No such post.', requestId: 'req_3' } },
    }),
    exchange('GET', '/posts', {
      status: 500,
      sent: THEN + 1_100,
      returned: THEN + 1_200,
      body: { error: { code: 'internal_error', message: 'Something went wrong.', requestId: 'req_4' } },
    }),
    exchange('GET', '/posts', { sent: THEN + 3_000, returned: THEN + 3_100 }),
  ],
  log: [
    event('credits-w', 'CreditsGranted', { amount: 10, balance: 10 }),
    event('post-post_1', 'PostQueued', { origin: 'api', caption: 'a', selections: { x: ['1'], facebook: ['2'] } }),
    event('post-post_1', 'AccountPublished', { platform: 'x' }),
    event('post-post_1', 'AccountPublished', { platform: 'facebook' }),
    event('comment-com_1', 'CommentReceived', { text: 'well?' }),
    event('credits-w', 'CreditsCharged', { amount: 1, balance: 9, videoId: 'vid_1' }),
    event('credits-w', 'CreditsCharged', { amount: 1, balance: 8, videoId: 'vid_2' }),
    event('credits-w', 'CreditsRefunded', { amount: 1, balance: 9, videoId: 'vid_2' }),
  ],
  live: [
    { platform: 'x', id: '1', caption: 'a' },
    { platform: 'facebook', id: '2', caption: 'a' },
  ],
  comments: [
    { platform: 'facebook', id: 'f1', writtenBy: 'account', text: 'first a' },
    { platform: 'facebook', id: 'f2', writtenBy: 'fan', text: 'well?' },
    { platform: 'facebook', id: 'f3', writtenBy: 'account', text: 'very well', inReplyTo: 'f2' },
  ],
  jobs: [
    { key: '1', prompt: 'a cat' },
    { key: '2', prompt: 'a dog' },
  ],
  posts: [{ id: 'post_1', status: 'published', caption: 'a', publishResults: {} }],
  videos: [
    { id: 'vid_1', status: 'ready' },
    { id: 'vid_2', status: 'failed' },
  ],
  replies: [{ id: 'rep_1', status: 'sent', commentId: 'f2' }],
  ledger: [
    { kind: 'granted', amount: 10, balance: 10 },
    { kind: 'charged', amount: 1, balance: 9, videoId: 'vid_1' },
    { kind: 'charged', amount: 1, balance: 8, videoId: 'vid_2' },
    { kind: 'refunded', amount: 1, balance: 9, videoId: 'vid_2' },
  ],
  balance: 9,
  told: [told],
  hooks: [
    {
      ...{ id: 'wh_1', secret, events: ['post.published'], ends: 'delivered' },
      attempts: [attempt(THEN + 100)],
      deliveries: [{ id: delivered, eventId: told.id, status: 'delivered', attempts: 1 }],
    },
  ],
  audit: { events: 8, streams: 3, position: '8', intact: true, faults: [], faultCount: 0 },
  differing: [],
  outages: [{ kind: 'kill', what: 'kill', victim: 'postgres', from: THEN + 1_000, to: THEN + 2_000 }],
  killsWanted: 1,
  endedThemselves: [],
  calmAt: THEN + 2_000,
  quietAt: THEN + 2_000,
  stuck: [],
  settledAt: THEN + 4_000,
}
