import type { Platform } from '../kit/platform.ts'
import { deleteObject } from '../meta/delete.ts'
import { api, is } from './api.ts'
import { withSession } from './session.ts'

export const unpublish: NonNullable<Platform['unpublish']> = (account, { postId }, io) =>
  withSession(account, io, (session) => deleteObject(api, session, postId, (error) => is(error, 'unreadable'), io))
