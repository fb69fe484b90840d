import { googleClient, googleScope } from '../google/oauth.ts'
import { isExpired } from './errors.ts'

const COMMENTS = [googleScope('youtube.force-ssl')]
const MANAGING = [googleScope('youtube.upload'), googleScope('youtube.readonly')]

export const permissions = {
  // For uploads, and for the channel and the status of its videos; metrics need no more.
  publishing: MANAGING,
  comments: COMMENTS,
  replies: COMMENTS,
}

/** One channel per consent; owners of several choose one on Google's pages. */
export const { authorization, renewalAt, revoke } = googleClient({
  platform: 'youtube',
  permissions,
  contains: {
    [googleScope('youtube.force-ssl')]: MANAGING,
    [googleScope('youtube')]: MANAGING,
    [googleScope('youtubepartner')]: MANAGING,
  },
  isExpired,
})
