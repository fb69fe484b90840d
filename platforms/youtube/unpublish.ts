import { withToken } from '../kit/oauth-token.ts'
import type { Platform } from '../kit/platform.ts'
import { send } from '../kit/rest.ts'
import { refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { renewalAt } from './oauth.ts'

export const unpublish: NonNullable<Platform['unpublish']> = ({ baseUrl }, { postId }, io) =>
  withToken(io, renewalAt(baseUrl), async (token) => {
    const url = `${hostsOf(baseUrl).api}/videos?${new URLSearchParams({ id: postId })}`
    const response = await send('youtube', { method: 'DELETE', url, token, effect: 'visible' }, io)
    // 404: it is gone already.
    if (response.status !== 204 && response.status !== 404) throw refused(response, 'visible', io.clock)
  })
