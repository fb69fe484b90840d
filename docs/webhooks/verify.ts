import { createHmac, timingSafeEqual } from 'node:crypto'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** How far (s) the two clocks may be apart. A delivery that is older is a recording that somebody plays again. */
const TOLERANCE = 300

/**
 * Whether the headers of Standard Webhooks sign this body.
 *
 * @param secrets the webhook's secret; while it is being rotated, both
 * @param rawBody the bytes as they came: JSON that was parsed and written again is another text
 * @param now seconds since 1970
 * @throws Error when a secret is none, as when its variable was not set
 */
export function verify(
  secrets: string | readonly string[],
  headers: Headers,
  rawBody: Uint8Array,
  now: number = Date.now() / 1000,
): boolean {
  const keys = [secrets].flat().map((secret) => Buffer.from(checked(secret).slice('whsec_'.length), 'base64'))
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false
  const given = header(headers, 'webhook-signature').split(' ')
  const expected = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody))
  return expected.some((hmac) => isAmong(given, `v1,${hmac.digest('base64')}`))
}

/**
 * The same by `X-Service-Signature`, which signs the body alone: it says nothing of when, and of no other header.
 *
 * @throws Error when a secret is none
 */
export function verifyBody(
  secrets: string | readonly string[],
  headers: Headers,
  rawBody: Uint8Array,
  prefix = 'X-Service',
): boolean {
  const given = ['Signature', 'Signature-Previous'].flatMap((name) => header(headers, `${prefix}-${name}`).split(' '))
  const expected = [secrets].flat().map((secret) => createHmac('sha256', checked(secret)).update(rawBody))
  return expected.some((hmac) => isAmong(given, `sha256=${hmac.digest('hex')}`))
}

/** An empty key would let anybody sign. */
function checked(secret: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) throw new Error('not the secret of a webhook')
  return secret
}

/** In a time that does not tell how much of it is right. */
function isAmong(given: readonly string[], expected: string): boolean {
  const wanted = Buffer.from(expected)
  return given.map((text) => Buffer.from(text)).some((it) => it.length === wanted.length && timingSafeEqual(it, wanted))
}

function header(headers: Headers, name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return typeof found === 'string' ? found : ''
}
