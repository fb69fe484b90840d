import { verify } from '../../docs/webhooks/verify.ts'
import type { webhooks } from './api.ts'

type BodyOf<Name extends keyof webhooks> = webhooks[Name] extends {
  post: { requestBody: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

/** An event as a webhook receives it, told apart by `event`. */
export type WebhookEvent = { [Name in keyof webhooks]: BodyOf<Name> }[keyof webhooks]

/**
 * The event of a request that your server received.
 *
 * @param secrets the webhook's secret; during a rotation, both
 * @param headers as Node.js has them in `request.headers`, or a `Headers`
 * @param rawBody the bytes as received, before any parsing
 * @returns undefined if the signature is wrong or older than five minutes: answer 401
 * @throws Error if a secret is not that of a webhook
 */
export function webhookEvent(
  secrets: string | readonly string[],
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  rawBody: Uint8Array,
): WebhookEvent | undefined {
  const plain = headers instanceof Headers ? Object.fromEntries(headers) : headers
  if (!verify(secrets, plain, rawBody)) return undefined
  return JSON.parse(new TextDecoder().decode(rawBody)) as WebhookEvent
}
