import { facebookLogin } from '../meta/facebook-login.ts'
import { PORTFOLIOS } from '../meta/person.ts'
import { api } from './api.ts'

export const permissions = {
  // To list a person's Pages, publish there, and find what was published.
  publishing: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
  comments: ['pages_read_user_content'],
  replies: ['pages_manage_engagement'],
}

/** To list the Pages of the person's business portfolios, too. */
export const optional = { publishing: [PORTFOLIOS] }

export const authorization = facebookLogin({
  platform: 'facebook',
  api,
  publishing: permissions.publishing,
  reached: (pages) =>
    pages.map(({ id, name, token }) => {
      const isAlone = pages.filter((other) => other.name === name).length === 1
      return { label: isAlone ? name : `${name} (${id})`, credentials: { pageId: id, accessToken: token } }
    }),
})
