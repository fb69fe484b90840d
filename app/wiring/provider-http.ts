import { guardedHttp } from '../../infra/http/guarded-http.ts'
import type { Http } from '../../infra/http/http.ts'
import { portOf } from '../../infra/http/outbound-address.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import type { Clock } from '../../infra/runtime/clock.ts'

const USER_AGENT = 'Fanfare-AI (+https://github.com/fanfare/fanfare)'

/** A client for one provider only: its address is the operator's choice and may be private, which no other request may reach. */
export function providerHttp({ baseUrl }: { readonly baseUrl: string }, clock: Clock): Http {
  const url = new URL(baseUrl)
  const policy = outboundPolicy('', [{ host: url.hostname, port: portOf(url) }])
  return guardedHttp({ policy, clock, userAgent: USER_AGENT })
}
