import type { FastifyRequest } from 'fastify'
import { LONGEST_MS } from './sessions.ts'

/** The one cookie of the dashboard: a token that only the browser has. */
export interface SessionCookie {
  read(request: Pick<FastifyRequest, 'headers'>): string | undefined
  /** A value of `Set-Cookie`. */
  set(token: string): string
  clear(): string
}

/**
 * @param secure whether browsers reach the service over https: the cookie is then sent only over https, and the prefix
 *   `__Host-` keeps other hosts of the domain from setting it (RFC 6265bis §4.1.3.2)
 */
export function sessionCookie(secure: boolean): SessionCookie {
  const name = secure ? '__Host-fanfare_session' : 'fanfare_session'
  const written = (value: string, seconds: number) =>
    [
      `${name}=${value}`,
      'Path=/',
      `Max-Age=${seconds}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(secure ? ['Secure'] : []),
    ].join('; ')
  return {
    read: ({ headers }) => {
      const found = (headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(`${name}=`))
      return found?.slice(name.length + 1)
    },
    set: (token) => written(token, LONGEST_MS / 1_000),
    clear: () => written('', 0),
  }
}
