import { createHmac, timingSafeEqual } from 'node:crypto'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Largest difference (s) between the two clocks. An older delivery is treated as a replay. */
const TOLERANCE = 300

/**
 * Returns whether the Standard Webhooks headers contain a valid signature of this body.
 *
 * @param secrets the webhook's secret; during a rotation, both
 * @param rawBody the bytes as received: JSON that was parsed and serialized again is a different text
 * @param now seconds since 1970
 * @throws Error if a secret is not valid, for example because its variable was not set
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
 * The same for `X-Service-Signature`, which signs only the body: it covers neither the time nor any other header.
 *
 * @throws Error if a secret is not valid
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

/** With an empty key, anyone could sign. */
function checked(secret: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) throw new Error('not the secret of a webhook')
  return secret
}

/** Compares in constant time, so that the duration does not reveal how much is right. */
function isAmong(given: readonly string[], expected: string): boolean {
  const wanted = Buffer.from(expected)
  return given.map((text) => Buffer.from(text)).some((it) => it.length === wanted.length && timingSafeEqual(it, wanted))
}

function header(headers: Headers, name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return typeof found === 'string' ? found : ''
}
