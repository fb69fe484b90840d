import * as z from 'zod'
import type { Platform } from '../kit/platform.ts'
import { COLLECTION } from './record.ts'
import { withSession } from './session.ts'
import { xrpc } from './xrpc.ts'

/** Deleting a record that is gone is a success, too (lexicon com.atproto.repo.deleteRecord). */
export const unpublish: NonNullable<Platform['unpublish']> = async (account, { postId }, io) => {
  const rkey = postId.slice(postId.lastIndexOf('/') + 1)
  const json = { repo: account.externalId, collection: COLLECTION, rkey }
  const nsid = 'com.atproto.repo.deleteRecord'
  await withSession(account, io, ({ host, accessJwt: token }) =>
    xrpc({ host, method: 'POST', nsid, token, body: { json }, effect: 'visible' }, z.unknown(), io),
  )
}
