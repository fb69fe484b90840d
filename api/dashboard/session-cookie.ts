import type { FastifyRequest } from 'fastify'
import { LONGEST_MS } from './sessions.ts'
import { FLOW_MS } from './sign-in-flows.ts'

/** A cookie of the dashboard: a token that only the browser has. */
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
  return tokenCookie('fanfare_session', { secure, sameSite: 'Strict', maxAgeMs: LONGEST_MS })
}

/** Of a sign-in that has begun. `Lax`: the provider, another site, sends the browser back. */
export function flowCookie(secure: boolean): SessionCookie {
  return tokenCookie('fanfare_sign_in', { secure, sameSite: 'Lax', maxAgeMs: FLOW_MS })
}

function tokenCookie(
  plainName: string,
  { secure, sameSite, maxAgeMs }: { readonly secure: boolean; readonly sameSite: string; readonly maxAgeMs: number },
): SessionCookie {
  const name = secure ? `__Host-${plainName}` : plainName
  const written = (value: string, seconds: number) =>
    [
      `${name}=${value}`,
      'Path=/',
      `Max-Age=${seconds}`,
      'HttpOnly',
      `SameSite=${sameSite}`,
      ...(secure ? ['Secure'] : []),
    ].join('; ')
  return {
    read: ({ headers }) => {
      const found = (headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(`${name}=`))
      return found?.slice(name.length + 1)
    },
    set: (token) => written(token, maxAgeMs / 1_000),
    clear: () => written('', 0),
  }
}
