import { googleClient, googleScope } from '../google/oauth.ts'
import { is } from './errors.ts'

/** One scope covers everything. */
export const permissions = { publishing: [googleScope('business.manage')] }

export const oauth = googleClient({
  platform: 'googlebusiness',
  permissions,
  // Its former name.
  contains: { [googleScope('plus.business.manage')]: permissions.publishing },
  isExpired: (error) => is(error, 'token'),
})
