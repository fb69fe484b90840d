import { createHmac } from 'node:crypto'
import type { LedgerAccount } from '../ledger.ts'
import type { RemovalCall, StandInDeps } from '../stand-in.ts'

/** A call of the app's webhook, signed with its secret. */
export function webhookCall(
  event: string,
  content: object,
  { externalId, secrets }: LedgerAccount,
  { clock }: StandInDeps,
): RemovalCall {
  const { clientId: client_key, clientSecret = '' } = secrets
  const create_time = Math.floor(clock.now() / 1_000)
  const body = JSON.stringify({
    ...{ client_key, event, create_time },
    ...{ user_openid: externalId, content: JSON.stringify(content) },
  })
  const signature = createHmac('sha256', clientSecret).update(`${create_time}.${body}`).digest('hex')
  return {
    headers: { 'content-type': 'application/json', 'tiktok-signature': `t=${create_time},s=${signature}` },
    body,
  }
}
