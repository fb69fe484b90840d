import { scope, type GoogleService } from '../google/service.ts'
import { googleRenewal } from '../google/token.ts'
import type { TokenRenewal } from '../kit/oauth-token.ts'
import { isExpired } from './errors.ts'

/** One scope covers everything; `plus.business.manage` is its former name. */
export const service: GoogleService = {
  platform: 'googlebusiness',
  scopes: [scope('business.manage')],
  sameAsFirst: [scope('plus.business.manage')],
  isExpired,
}

export function renewalAt(baseUrl: string | undefined): TokenRenewal {
  return googleRenewal(service, baseUrl)
}
