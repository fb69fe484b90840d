import type { Platform } from '../kit/platform.ts'
import { deletePost } from '../meta/delete.ts'
import { api } from './api.ts'
import { withSession } from './session.ts'

/** Needs the permission `threads_delete`. An account may delete 100 posts a day. */
export const unpublish: NonNullable<Platform['unpublish']> = (account, post, io) =>
  withSession(account, io, (session) => deletePost(api, session, post, io))
