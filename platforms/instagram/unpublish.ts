import type { Platform } from '../kit/platform.ts'
import { Unsupported } from '../kit/unsupported.ts'
import { deletePost } from '../meta/delete.ts'
import { api } from './api.ts'
import { withSession } from './session.ts'

/** Only with Facebook login, and the permission `instagram_manage_contents`. A carousel is deleted as a whole. */
export const unpublish: NonNullable<Platform['unpublish']> = (account, post, io) =>
  withSession(account, io, async (session, { loginType }) => {
    if (loginType !== 'facebook') {
      throw new Unsupported('Instagram lets apps delete posts only of accounts that are connected with Facebook.')
    }
    return deletePost(api, session, post, io)
  })
