import type { Platform } from '../kit/platform.ts'
import { Unsupported } from '../kit/unsupported.ts'
import { deleteObject } from '../meta/delete.ts'
import { isStoryAddress } from './address.ts'
import { api, is } from './api.ts'
import { withSession } from './session.ts'

export const unpublish: NonNullable<Platform['unpublish']> = async (account, { postId, url }, io) => {
  if (isStoryAddress(url)) {
    throw new Unsupported('Facebook does not let apps delete stories.')
  }
  await withSession(account, io, (session) =>
    deleteObject(api, session, postId, (error) => is(error, 'unreadable'), io),
  )
}
