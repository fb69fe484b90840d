import { googleClient } from '../google/oauth.ts'
import { is } from './errors.ts'

/** One scope covers everything; `plus.business.manage` is its former name. */
export const oauth = googleClient({
  platform: 'googlebusiness',
  scopes: ['business.manage'],
  sameAsFirst: ['plus.business.manage'],
  isExpired: (error) => is(error, 'token'),
})
