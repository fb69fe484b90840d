import * as z from 'zod'
import { DEFAULT_EVENTS, DELIVERED_EVENTS, PUBLIC_EVENTS } from '../../../domain/webhook/public-event.ts'
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
    error: 'must be a URL that begins with http:// or https://',
    abort: true,
  })
  .refine((value) => new URL(value).username === '' && new URL(value).password === '', {
    error: 'must not contain a username or password: deliveries are signed, so verify the signature instead',
  })

/** Body of POST /webhooks (api-spec §4, Webhooks). */
export const registerWebhookBody = z
  .object({
    url: url.describe('Where deliveries are sent.'),
    events: z.array(eventName).min(1, NO_EVENT).transform(unique).describe('The events to receive.'),
  })
  .meta({ example: { url: 'https://example.com/hooks/fanfare', events: ['post.published', 'post.failed'] } })

/** Query of GET /webhooks/{id}/deliveries. */
export const deliveriesQuery = pageQuery.extend({
  status: z
    .enum(DELIVERY_STATUSES, { error: `must be one of ${DELIVERY_STATUSES.join(', ')}` })
    .optional()
    .describe('Only deliveries with this status.'),
})

/** Query of GET /events. A list is comma-separated, or repeats the parameter. */
export const eventsQuery = followQuery.extend({
  event: z
    .union([z.string(), z.array(z.string())])
    .transform((given) => unique([given].flat().flatMap((names) => names.split(','))))
    .pipe(z.array(eventName))
    .default([...DEFAULT_EVENTS])
    .describe(
      `Only these events, separated by commas or as repeated parameters. Default: ${DEFAULT_EVENTS.join(', ')}.`,
    ),
})

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(eventName),
    createdAt: z.iso.datetime(),
    previousSecretUntil: z.iso
      .datetime()
      .optional()
      .describe('After a rotation: until when the previous secret still signs.'),
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
    secret: z.string().describe('Verifies deliveries. It is shown only once.'),
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
    secret: z.string().describe('The new secret. It is shown only once.'),
    previousSecretUntil: z.iso.datetime().describe('Until then, deliveries are also signed with the previous secret.'),
  })
  .meta({
    id: 'RotatedSecret',
    examples: [{ id: EXAMPLE.webhook, secret: EXAMPLE.secret, previousSecretUntil: '2026-06-01T07:00:00.000Z' }],
  })

export const deliverySchema = z
  .object({
    id: z.string(),
    event: z.enum(DELIVERED_EVENTS),
    eventId: z.string().describe('The same for every webhook and in GET /events.'),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int().describe('Attempts made so far.'),
    lastError: z.string().nullable().describe('The error of the last failed attempt.'),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().optional().describe('While pending: the time of the next attempt.'),
    attemptLog: z
      .array(
        z.object({
          at: z.iso.datetime(),
          statusCode: z.int().nullable().describe('null: no response was received.'),
          error: z.string().nullable(),
          durationMs: z.int(),
        }),
      )
      .describe('The latest 50 attempts, oldest first.'),
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
    .describe('Pass it as `after` to continue. Never null, even if there is nothing new.'),
})
