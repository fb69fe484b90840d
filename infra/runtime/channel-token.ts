import { timingSafeEqual } from 'node:crypto'
import { unguessable } from './unguessable.ts'

/** What permits, without signing in, to confirm a notification channel and to unsubscribe it: `<id>-<mac>`. */
export function channelToken(secret: Buffer, channelId: string): string {
  return `${channelId}-${unguessable(secret, 'notification channels', [channelId])}`
}

/** The channel of a token; undefined if it is not one of ours. */
export function channelOfToken(secret: Buffer, token: string): string | undefined {
  const [id = ''] = token.split('-', 1)
  const [given, own] = [token, channelToken(secret, id)].map((text) => Buffer.from(text))
  return given && own && given.length === own.length && timingSafeEqual(given, own) ? id : undefined
}
