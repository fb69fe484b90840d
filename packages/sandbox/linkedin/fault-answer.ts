import type { Answer, Refused } from '../answer.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refusalBody, refuse, type LinkedInRefusal } from './refusal.ts'
import { revokeAccess } from './tokens.ts'

/**
 * A scripted fault in LinkedIn's words.
 *
 * @param field the one that holds the text
 */
export function faultAnswer(refused: Refused, field: string, caller: LedgerAccount, deps: StandInDeps): Answer {
  if (refused === 'token_expired') revokeAccess(caller, deps)
  const refusal = refusalOf(refused, field)
  return { status: refusal.status, body: refusalBody(refusal) }
}

function refusalOf(refused: Refused, field: string): LinkedInRefusal {
  switch (refused) {
    case 'reject':
      return refuse(400, 'INVALID_VALUE_FOR_FIELD', `ERROR :: ${field} :: this content is not allowed`)
    case 'rate_limit':
      return refuse(429, 'TOO_MANY_REQUESTS', 'Resource level throttle limit for calls to this resource is reached.')
    case 'server_error':
      return refuse(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error')
    case 'token_expired':
      return refuse(401, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired', 65_602)
  }
}
