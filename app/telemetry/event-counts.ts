import { delivery } from '../../domain/webhook/delivery.ts'
import { eventOf, type RecordedEvent } from '../../domain/core/event.ts'
import { isPlatformKey } from '../../domain/core/platform.ts'
import { post } from '../../domain/post/post.ts'
import { reply } from '../../domain/conversation/reply.ts'
import type { Meter } from './measures.ts'

/** Counts the outcome in an event that was just appended: outcomes are counted where they are written. */
export function countEvent(meter: Meter, recorded: Pick<RecordedEvent, 'stream' | 'type' | 'data'>): void {
  countPost(meter, recorded)
  countReply(meter, recorded)
  countDelivery(meter, recorded)
}

type Recorded = Parameters<typeof countEvent>[1]

function countPost(meter: Meter, recorded: Recorded): void {
  const event = eventOf(post, recorded)
  const outcome = (platform: string, name: string): void =>
    // Stored as requested, known or not: a made-up name must not become a label.
    meter.count('fanfare_publish_outcomes_total', {
      platform: isPlatformKey(platform) ? platform : 'other',
      outcome: name,
    })
  switch (event?.type) {
    case 'AccountPublished':
      return outcome(event.data.platform, 'published')
    case 'AccountPublishFailed':
      return outcome(event.data.platform, event.data.code)
    case 'PublishDeferred':
      return outcome(event.data.platform, 'deferred')
    case 'PublishAnswerLost':
      return outcome(event.data.platform, 'answer_lost')
    case 'PlatformRefused':
      return outcome(event.data.platform, 'refused')
    default:
  }
}

function countReply(meter: Meter, recorded: Recorded): void {
  const event = eventOf(reply, recorded)
  const outcome = (name: string): void => meter.count('fanfare_reply_outcomes_total', { outcome: name })
  switch (event?.type) {
    case 'ReplySent':
      return outcome('sent')
    case 'ReplyFailed':
      return outcome(event.data.code)
    case 'SendDeferred':
      return outcome('deferred')
    case 'SendAnswerLost':
      return outcome('answer_lost')
    default:
  }
}

function countDelivery(meter: Meter, recorded: Recorded): void {
  const event = eventOf(delivery, recorded)
  const attempt = (outcome: string, { statusCode, durationMs }: Attempt): void => {
    meter.count('fanfare_webhook_attempts_total', { outcome, answer: statusClass(statusCode) })
    meter.observe('fanfare_webhook_attempt_seconds', {}, durationMs / 1000)
  }
  switch (event?.type) {
    case 'DeliverySucceeded':
      return attempt('delivered', event.data)
    case 'DeliveryDeferred':
      return attempt('deferred', event.data)
    case 'DeliveryFailed':
      return attempt('failed', event.data)
    default:
  }
}

interface Attempt {
  readonly statusCode: number | null
  readonly durationMs: number
}

/** `2xx`, `5xx`, or `none` if there was no answer. */
export function statusClass(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`
}
