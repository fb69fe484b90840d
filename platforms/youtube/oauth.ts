import { googleClient } from '../google/oauth.ts'
import { isExpired } from './errors.ts'

/** One channel per consent; owners of several choose one on Google's pages. */
export const { authorization, renewalAt, revoke } = googleClient({
  platform: 'youtube',
  // The first covers uploads, video status, comments and reading the channel; the second its statistics.
  scopes: ['youtube.force-ssl', 'yt-analytics.readonly'],
  sameAsFirst: ['youtube', 'youtubepartner'],
  isExpired,
})
