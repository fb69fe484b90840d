import { z } from 'zod'
import { DELIVERED_EVENTS, PUBLIC_EVENTS } from '../../../domain/webhook/public-event.ts'
import { text } from '../../../domain/core/text.ts'
import { DELIVERY_STATUSES } from '../../../projections/models/deliveries.ts'
import { followQuery, pageQuery } from '../../http/pagination.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const NOT_AN_EVENT = { error: `must be one of ${PUBLIC_EVENTS.join(', ')}` }
const NO_EVENT = { error: `must name at least one of ${PUBLIC_EVENTS.join(', ')}` }
const eventName = z.enum(PUBLIC_EVENTS, NOT_AN_EVENT)
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const url = text(2000)
  .refine((value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol), {
    error: 'must be an address that begins with http:// or https://',
    abort: true,
  })
  .refine((value) => new URL(value).username === '' && new URL(value).password === '', {
    error: 'must not hold a user name or password: deliveries are signed, verify the signature instead',
  })

/** Body of POST /webhooks (api-spec §4, Webhooks). */
export const registerWebhookBody = z
  .object({
    url: url.describe('Where deliveries are posted to.'),
    events: z.array(eventName).min(1, NO_EVENT).transform(unique).describe('What to be told of.'),
  })
  .meta({ example: { url: 'https://example.com/hooks/fanfare', events: ['post.published', 'post.failed'] } })

/** Query of GET /webhooks/{id}/deliveries. */
export const deliveriesQuery = pageQuery.extend({
  status: z
    .enum(DELIVERY_STATUSES, { error: `must be one of ${DELIVERY_STATUSES.join(', ')}` })
    .optional()
    .describe('Only those.'),
})

/** Query of GET /events. A list is comma-separated, or repeats the parameter. */
export const eventsQuery = followQuery.extend({
  event: z
    .union([z.string(), z.array(z.string())])
    .transform((given) => unique([given].flat().flatMap((names) => names.split(','))))
    .pipe(z.array(eventName))
    .default([...PUBLIC_EVENTS])
    .describe('Only these, separated by commas or given again. Default: all.'),
})

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(eventName),
    createdAt: z.iso.datetime(),
    previousSecretUntil: z.iso.datetime().optional().describe('While the secret before still signs: until when.'),
  })
  .meta({
    id: 'Webhook',
    examples: [
      {
        id: EXAMPLE.webhook,
        url: 'https://example.com/hooks/fanfare',
        events: ['post.published', 'post.failed'],
        createdAt: EXAMPLE.at,
      },
    ],
  })

export const registeredSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(eventName),
    secret: z.string().describe('Verifies deliveries. It is shown this once.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'RegisteredWebhook',
    examples: [
      {
        id: EXAMPLE.webhook,
        url: 'https://example.com/hooks/fanfare',
        events: ['post.published', 'post.failed'],
        secret: EXAMPLE.secret,
        createdAt: EXAMPLE.at,
      },
    ],
  })

export const rotatedSchema = z
  .object({
    id: z.string(),
    secret: z.string().describe('The new one. It is shown this once.'),
    previousSecretUntil: z.iso.datetime().describe('Until then deliveries are signed with the one before as well.'),
  })
  .meta({
    id: 'RotatedSecret',
    examples: [{ id: EXAMPLE.webhook, secret: EXAMPLE.secret, previousSecretUntil: '2026-06-01T07:00:00.000Z' }],
  })

export const deliverySchema = z
  .object({
    id: z.string(),
    event: z.enum(DELIVERED_EVENTS),
    eventId: z.string().describe('The same for every webhook, and in GET /events.'),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int().describe('Attempts made so far.'),
    lastError: z.string().nullable().describe('Of the last attempt that failed.'),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().optional().describe('While it is pending.'),
    attemptLog: z
      .array(
        z.object({
          at: z.iso.datetime(),
          statusCode: z.int().nullable().describe('null: there was no answer.'),
          error: z.string().nullable(),
          durationMs: z.int(),
        }),
      )
      .describe('The latest 50 attempts, the oldest first.'),
  })
  .meta({
    id: 'Delivery',
    examples: [
      {
        id: 'dlv_01JWB6Z5C8F1J4M7Q0T3W6Z9C2',
        event: 'post.published',
        eventId: EXAMPLE.event,
        status: 'delivered',
        attempts: 1,
        lastError: null,
        createdAt: EXAMPLE.at,
        attemptLog: [{ at: EXAMPLE.at, statusCode: 204, error: null, durationMs: 83 }],
      },
    ],
  })

const publicEventSchema = z
  .object({
    id: z.string(),
    event: eventName,
    createdAt: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: 'Event',
    examples: [
      {
        id: EXAMPLE.event,
        event: 'post.published',
        createdAt: EXAMPLE.at,
        data: {
          runId: EXAMPLE.post,
          results: { bluesky: [{ accountId: EXAMPLE.account, ok: true, postId: '3lqk2vn7yhs2c' }] },
          okCount: 1,
          total: 1,
        },
      },
    ],
  })

export const eventsSchema = z.object({
  events: z.array(publicEventSchema),
  nextCursor: z
    .string()
    .meta({ examples: ['4bYk0SHNwYxJ'] })
    .describe('Where to go on: the next `after`. Never null, also when there is nothing new.'),
})
