import { ECDH } from 'node:crypto'
import * as z from 'zod'
import { CHANNEL_KINDS, SHARED_KINDS } from '../../../domain/notification/channel.ts'
import { TOPICS } from '../../../domain/notification/topic.ts'
import { isTimeZone } from '../../../domain/post/wall-time.ts'
import { text } from '../../../domain/core/text.ts'
import { NOTIFICATION_STATUSES } from '../../../projections/models/notifications.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 22:00' })
const kind = z.enum(SHARED_KINDS, { error: `must be one of ${SHARED_KINDS.join(', ')}` })
const topics = z
  .array(z.enum(TOPICS, { error: `must be one of ${TOPICS.join(', ')}` }))
  .min(1, { error: `must name at least one of ${TOPICS.join(', ')}` })
  .transform((given) => [...new Set(given)])
  .describe('What is notified.')
const timezone = text(100)
  .refine(isTimeZone, { error: 'must be an IANA name such as Europe/Berlin' })
  .describe('The zone of quietHours and digestAt.')
const quietHours = z
  .object({ from: timeOfDay, to: timeOfDay })
  .refine(({ from, to }) => from !== to, { error: 'must not begin and end at the same time' })
  .nullable()
  .describe('Nothing is sent from `from` until `to`, but afterwards, in one message.')
const digestAt = timeOfDay.nullable().describe('Everything is sent once a day, at this time.')
const label = text(100)

const url = text(2000).refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
  error: 'must be a URL that begins with http:// or https://',
})
const filled = (most: number) => text(most).min(1, { error: 'must not be empty' })

/** Body of POST /notification-channels. */
export const addChannelBody = z
  .object({
    kind,
    address: z.email({ error: 'must be an e-mail address' }).max(320).optional().describe('Of kind email.'),
    url: url
      .optional()
      .describe(
        'Of kind slack and discord: the incoming webhook. Of ntfy: the topic, such as https://ntfy.sh/my-topic. Of telegram: ' +
          'a Bot API server of your own.',
      ),
    botToken: filled(200).optional().describe('Of kind telegram: the token that BotFather gave you.'),
    chat: filled(100).optional().describe('Of kind telegram: the id or @name of the chat.'),
    token: filled(200).optional().describe('Of kind ntfy: an access token, if the topic requires one.'),
    label: label.default(''),
    topics: topics.default([...TOPICS]),
    timezone: timezone.default('UTC'),
    quietHours: quietHours.default(null),
    digestAt: digestAt.default(null),
  })
  .meta({
    example: {
      kind: 'slack',
      url: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
      label: '#social',
      topics: ['post.failed', 'account.needs_reauth'],
    },
  })

/** A browser's `PushSubscription`. */
const subscription = z.object({
  endpoint: text(2000).refine((value) => URL.canParse(value) && new URL(value).protocol === 'https:', {
    error: 'must be a URL that begins with https://',
  }),
  keys: z.object({
    p256dh: z.string().refine(isPublicKey, { error: 'must be an uncompressed point of P-256, 65 bytes in base64url' }),
    auth: z.string().refine((value) => bytesIn(value)?.length === 16, { error: 'must be 16 bytes in base64url' }),
  }),
})

/** Body of POST /dashboard/api/notification-channels. */
export const addOwnChannelBody = addChannelBody.extend({
  kind: z.enum(CHANNEL_KINDS, { error: `must be one of ${CHANNEL_KINDS.join(', ')}` }),
  subscription: subscription.optional(),
})

/** Body of PATCH /notification-channels/{id}. */
export const changeChannelBody = z
  .object({ label, topics, timezone, quietHours, digestAt })
  .partial()
  .meta({ example: { quietHours: { from: '22:00', to: '07:00' }, timezone: 'Europe/Berlin' } })

export const channelSchema = z
  .object({
    id: z.string(),
    kind,
    address: z.string().describe('Without its secret part.'),
    status: z.enum(['unconfirmed', 'active']).describe('unconfirmed: the link in the first e-mail was not opened yet.'),
    label,
    topics: z.array(z.enum(TOPICS)),
    timezone: z.string(),
    quietHours: z.object({ from: z.string(), to: z.string() }).nullable(),
    digestAt: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'NotificationChannel',
    examples: [
      {
        ...{ id: EXAMPLE.channel, kind: 'slack', address: 'hooks.slack.com/…XXXX', status: 'active', label: '#social' },
        ...{ topics: ['post.failed', 'account.needs_reauth'], timezone: 'Europe/Berlin' },
        ...{ quietHours: { from: '22:00', to: '07:00' }, digestAt: null, createdAt: EXAMPLE.at },
      },
    ],
  })

export const ownChannelSchema = channelSchema.extend({ kind: z.enum(CHANNEL_KINDS) })

export const notificationSchema = z
  .object({
    id: z.string(),
    status: z
      .enum(NOTIFICATION_STATUSES)
      .describe('unknown: no answer arrived, so it may have been sent. It is not sent again.'),
    items: z
      .array(z.object({ topic: z.string(), about: z.string().describe('The id of the resource.'), text: z.string() }))
      .describe('What it says.'),
    attempts: z.int(),
    lastError: z.string().nullable(),
    createdAt: z.iso.datetime(),
    dueAt: z.iso.datetime().optional().describe('While pending: when it is sent.'),
    sentAt: z.iso.datetime().optional(),
  })
  .meta({
    id: 'Notification',
    examples: [
      {
        ...{ id: 'ntf_01JWB7A1B4C7F0J3M6Q9T2W5Z8', status: 'sent', attempts: 1, lastError: null },
        items: [{ topic: 'post.failed', about: EXAMPLE.post, text: 'A post failed: The text is too long for X.' }],
        ...{ createdAt: EXAMPLE.at, sentAt: EXAMPLE.at },
      },
    ],
  })

function bytesIn(value: string): Buffer | undefined {
  return /^[\w-]+$/.test(value) ? Buffer.from(value, 'base64url') : undefined
}

function isPublicKey(value: string): boolean {
  const point = bytesIn(value)
  if (point?.length !== 65 || point[0] !== 4) return false
  try {
    // Refuses a point that is not on the curve.
    ECDH.convertKey(point, 'prime256v1')
    return true
  } catch {
    return false
  }
}
