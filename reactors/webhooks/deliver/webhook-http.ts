import { guardedHttp } from '../../../infra/http/guarded-http.ts'
import type { Http } from '../../../infra/http/http.ts'
import type { OutboundGuard } from '../../../infra/http/outbound-address.ts'
import type { PoolSizes } from '../../runtime/pools.ts'

const USER_AGENT = 'Fanfare-Webhooks (+https://github.com/fanfare/fanfare)'

/**
 * A client for webhooks only, with one connection per worker slot: many webhooks may share an origin, and hanging ones must not
 * make others, or platform calls, wait for a connection.
 */
export function webhookHttp({ policy, clock }: OutboundGuard, { deliver, redeliver }: PoolSizes): Http {
  return guardedHttp({ policy, clock, userAgent: USER_AGENT, maxConnectionsPerOrigin: deliver + redeliver })
}
