import { guardedHttp } from '../../../infra/http/guarded-http.ts'
import type { Http } from '../../../infra/http/http.ts'
import type { OutboundGuard } from '../../../infra/http/outbound-address.ts'
import type { PoolSizes } from '../../runtime/pools.ts'

const USER_AGENT = 'Fanfare-Webhooks (+https://github.com/fanfare/fanfare)'

/**
 * A client for webhooks alone, with a connection for each hand: many webhooks may share one origin, and those that hang must
 * let neither the others nor the platforms' calls wait for a connection.
 */
export function webhookHttp({ policy, clock }: OutboundGuard, { deliver, redeliver }: PoolSizes): Http {
  return guardedHttp({ policy, clock, userAgent: USER_AGENT, maxConnectionsPerOrigin: deliver + redeliver })
}
