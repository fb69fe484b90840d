import type { Login, Reached } from '../kit/authorization.ts'
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
    // To list Pages of the person's business portfolios, and the accounts that are linked to those; and to delete posts.
    optional: { publishing: [PORTFOLIOS, 'ads_read', 'instagram_manage_contents'] },
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
function reached(pages: readonly RunPage[]): readonly Reached[] {
  const all = pages.map(({ id, name, token, username }) =>
    username === undefined
      ? { label: `Page ${name}`, credentials: { pageId: id }, problem: notLinked(name) }
      : {
          label: `@${username} (Page ${name})`,
          credentials: { loginType: 'facebook', pageId: id, accessToken: token },
        },
  )
  if (pages.length === 0 || pages.some(({ username }) => username !== undefined)) return all
  const names = pages.map(({ name }) => name).join(', ')
  throw new PlatformError(
    'permanent',
    `No Instagram business or creator account is linked to the Facebook Pages that you allowed (${names}). ` +
      "Link one in the Page's settings under Linked accounts, then connect again.",
  )
}

function notLinked(name: string): string {
  return (
    `No Instagram business or creator account is linked to the Facebook Page ${name}. ` +
    "Link one in the Page's settings under Linked accounts, then connect again."
  )
}
