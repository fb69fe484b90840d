import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether an `Authorization` header carries the token, compared in constant time. */
export function bearsToken(authorization: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(digestOf(given), digestOf(token))
}

/** The same length for any text, as the constant-time comparison requires. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
