import type { Login } from '../kit/authorization.ts'
import { PlatformError } from '../kit/platform.ts'
import { facebookLogin } from '../meta/facebook-login.ts'
import { PORTFOLIOS, type RunPage } from '../meta/person.ts'
import { api } from './api.ts'
import { authorization, permissions } from './authorization.ts'

const COMMENTS = ['instagram_manage_comments']
const throughFacebook = {
  // To list the person's Pages with the accounts that are linked to them, and publish there.
  publishing: ['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement'],
  comments: COMMENTS,
  replies: COMMENTS,
}

/** The first is that of accounts which name none. */
export const logins: readonly Login[] = [
  { key: 'instagram', name: 'With Instagram', permissions, authorization },
  {
    key: 'facebook',
    name: 'With Facebook, through linked Pages',
    app: 'facebook',
    permissions: throughFacebook,
    // To list Pages of the person's business portfolios, and the accounts that are linked to those.
    optional: { publishing: [PORTFOLIOS, 'ads_read'] },
    authorization: facebookLogin({
      platform: 'instagram',
      api,
      publishing: throughFacebook.publishing,
      withInstagram: true,
      reached,
    }),
  },
]

/** @throws PlatformError naming the Pages, if none of them has an account */
function reached(pages: readonly RunPage[]) {
  const linked = pages.flatMap(({ id, name, token, username }) =>
    username === undefined
      ? []
      : [
          {
            label: `@${username} (Page ${name})`,
            credentials: { loginType: 'facebook', pageId: id, accessToken: token },
          },
        ],
  )
  if (linked.length > 0 || pages.length === 0) return linked
  const names = pages.map(({ name }) => name).join(', ')
  throw new PlatformError(
    'permanent',
    `No Instagram business or creator account is linked to the Facebook Pages that you allowed (${names}). ` +
      "Link one in the Page's settings under Linked accounts, then connect again.",
  )
}
