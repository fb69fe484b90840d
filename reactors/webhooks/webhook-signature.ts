import { createHmac } from 'node:crypto'

/** One attempt's message to a webhook. */
export interface WebhookMessage {
  /** The delivery's id, the same in every attempt. */
  readonly id: string
  readonly event: string
  /** Signed as UTF-8. */
  readonly body: string
  /** Time of the attempt, ms since the epoch. */
  readonly sentAt: number
}

/** The prefix that Standard Webhooks puts before the key. */
const SECRET_PREFIX = 'whsec_'

/**
 * The headers that identify and sign an attempt: those of api-spec §6, and the three of Standard Webhooks. They differ in the
 * key: the former sign with the secret as issued, the latter with the bytes that its base64 encodes.
 *
 * @param secrets the signing secrets, newest first
 * @param prefix of the former headers' names
 */
export function webhookHeaders(
  { id, event, body, sentAt }: WebhookMessage,
  secrets: readonly string[],
  prefix: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt / 1000))
  const [newest = '', ...older] = secrets.map((secret) => `sha256=${hmac(secret, body).toString('hex')}`)
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${hmac(key, `${id}.${timestamp}.${body}`).toString('base64')}`
  })
  return {
    [`${prefix}-Event`]: event,
    [`${prefix}-Delivery`]: id,
    [`${prefix}-Signature`]: newest,
    ...(older.length > 0 && { [`${prefix}-Signature-Previous`]: older.join(' ') }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest()
}
