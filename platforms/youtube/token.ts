import { scope, type GoogleService } from '../google/service.ts'
import { googleRenewal } from '../google/token.ts'
import type { TokenRenewal } from '../kit/oauth-token.ts'
import { isExpired } from './errors.ts'

/** The first scope covers uploads, video status, comments and reading the channel; the second its statistics. */
export const service: GoogleService = {
  platform: 'youtube',
  scopes: [scope('youtube.force-ssl'), scope('yt-analytics.readonly')],
  sameAsFirst: [scope('youtube'), scope('youtubepartner')],
  isExpired,
}

export function renewalAt(baseUrl: string | undefined): TokenRenewal {
  return googleRenewal(service, baseUrl)
}
