import type { SendResult } from '../../../commands/notification.ts'
import { SEND_TIMEOUT_MS } from '../../../commands/notification.ts'
import type { ChannelKind } from '../../../domain/notification/channel.ts'
import { HttpFailure, type Http, type HttpResponse } from '../../../infra/http/http.ts'
import { MailFailure, type Mailer } from '../../../infra/mail/mailer.ts'
import type { Secret } from '../../../infra/postgres/vault.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import type { Vapid } from '../../../infra/runtime/vapid.ts'
import { retryAfterMs } from '../../../platforms/kit/retry-after.ts'
import type { Message } from '../message.ts'
import { discord } from './discord.ts'
import { mailOf } from './email.ts'
import { ntfy } from './ntfy.ts'
import { push } from './push.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'

/** A request that shows a message to people. */
export interface ChannelRequest {
  readonly url: string
  /** JSON unless it is bytes. */
  readonly body: object | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** How each kind of channel that is called over HTTP is written to. `secret` is what the vault has of it. */
const REQUESTS: Readonly<
  Record<Exclude<ChannelKind, 'email'>, (secret: Secret, message: Message, vapid: Vapid) => ChannelRequest>
> = { slack, discord, telegram, ntfy, push }

export interface SendDeps {
  readonly http: Http
  /** Absent without `SMTP_URL`. */
  readonly mailer: Mailer | undefined
  /** By what push services know us. */
  readonly vapid: Vapid
  readonly clock: Clock
  readonly logger: Logger
}

/** Sends a message once. What became of it is certain, except for `unknown`. */
export async function sendTo(
  deps: SendDeps,
  kind: ChannelKind,
  secret: Secret,
  message: Message,
  signal: AbortSignal,
): Promise<SendResult> {
  if (kind === 'email') return byMail(deps, secret, message)
  const { url, body, headers } = REQUESTS[kind](secret, message, deps.vapid)
  const isBytes = body instanceof Uint8Array
  try {
    const response = await deps.http.request(url, {
      method: 'POST',
      headers: { ...(!isBytes && { 'content-type': 'application/json' }), ...headers },
      body: isBytes ? body : JSON.stringify(body),
      timeoutMs: SEND_TIMEOUT_MS,
      maxBytes: 64 * 1024,
      signal,
    })
    if (kind === 'push' && GONE.includes(response.status)) {
      const error = `The browser takes no more messages (HTTP ${response.status}).`
      return { kind: 'failed', code: 'permanent', error, isGone: true }
    }
    return resultOf(response, deps.clock.now(), TELLING.includes(new URL(url).host))
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    if (error.mayHaveArrived) return { kind: 'failed', code: 'unknown', error: MAY_HAVE_ARRIVED }
    const isFinal = error.kind === 'blocked' || error.kind === 'bad-url'
    return isFinal
      ? { kind: 'failed', code: 'permanent', error: error.message }
      : { kind: 'deferred', error: error.message }
  }
}

/** Whose reasons are repeated. Others may be servers of the operator's own network, which must not be read through us. */
const TELLING: readonly string[] = [
  ...['hooks.slack.com', 'discord.com', 'api.telegram.org', 'ntfy.sh'],
  ...['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'],
]

/** What a push service answers when a subscription has ended (RFC 8030, section 7.3). */
const GONE: readonly number[] = [404, 410]

const MAY_HAVE_ARRIVED = 'The connection broke before an answer arrived: the message may have been sent.'

function resultOf(
  { status, headers, body }: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
  now: number,
  isTelling: boolean,
): SendResult {
  if (status >= 200 && status <= 299) return { kind: 'sent' }
  const error = `HTTP ${status}`
  if (status === 429 || status === 503) {
    const after = retryAfterMs(headers['retry-after'], now) ?? waitIn(body)
    return { kind: 'deferred', error, ...(after !== undefined && { retryAfterMs: after }) }
  }
  // Something between us and the service may answer for it, after it has taken the message.
  if (status >= 500) return { kind: 'failed', code: 'unknown', error: `${error}: the message may have been sent.` }
  return { kind: 'failed', code: 'permanent', error: isTelling ? reasonIn(body, error) : error }
}

/** Telegram and Discord say how long to wait in the body, in seconds. */
function waitIn(body: Uint8Array): number | undefined {
  const { retry_after: own, parameters } = jsonIn(body)
  const seconds = own ?? (parameters as { retry_after?: unknown } | undefined)?.retry_after
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined
}

/** What the service says, with the status. */
function reasonIn(body: Uint8Array, error: string): string {
  const { description, message, error: named } = jsonIn(body)
  const text = [description, message, named, Object(named).message].find((value) => typeof value === 'string')
  const reason = String(text ?? Buffer.from(body))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
  return reason === '' ? error : `${error}: ${reason}`
}

function jsonIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(body).toString())) as Record<string, unknown>
  } catch {
    return {}
  }
}

async function byMail({ mailer, logger }: SendDeps, secret: Secret, message: Message): Promise<SendResult> {
  if (!mailer) return { kind: 'deferred', error: 'The service cannot send e-mail: SMTP_URL is not set.' }
  try {
    await mailer.send(mailOf(secret, message))
    return { kind: 'sent' }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    logger.warn({ err: error }, 'a mail was not sent')
    const { mayHaveArrived, isFinal, message: why } = error
    if (mayHaveArrived) return { kind: 'failed', code: 'unknown', error: MAY_HAVE_ARRIVED }
    return isFinal ? { kind: 'failed', code: 'permanent', error: why } : { kind: 'deferred', error: why }
  }
}
