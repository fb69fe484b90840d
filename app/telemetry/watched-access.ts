import type { Http } from '../../infra/http/http.ts'
import type { PlatformAccess } from '../../reactors/platform-calls/platform-access.ts'
import type { Destination } from './watched-http.ts'

/** Access to the platforms, with the calls of each platform recorded separately. */
export function watchedAccess(access: PlatformAccess, watched: (http: Http, to: Destination) => Http): PlatformAccess {
  return {
    ...access,
    connecting: (timeoutMs, work) =>
      access.connecting(timeoutMs, (io) => work({ ...io, http: watched(io.http, 'connect') })),
    run: (account, timeoutMs, signal, work, use) =>
      access.run(account, timeoutMs, signal, (io) => work({ ...io, http: watched(io.http, account.platform) }), use),
  }
}
