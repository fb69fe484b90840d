import { z } from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { countedAccount } from './analytics-counts.ts'
import { didSchema } from './identity.ts'
import { withSession } from './session.ts'
import { xrpc } from './xrpc.ts'

const profile = countedAccount.extend({
  did: didSchema,
  handle: z.string().min(1),
  displayName: z.string().catch(''),
})
export type Profile = Readonly<z.infer<typeof profile>>

const profiles = z.object({ profiles: z.array(profile) })

/**
 * What the app shows of an account. Asked for as a list of one: that leaves out an account which is not there, where the
 * call for a single one answers with the errors that also stand for the own account's being off.
 *
 * @param actor a DID or a handle
 * @returns undefined when the app has no such account
 * @throws PlatformError
 */
export async function profileOf(actor: string, account: PlatformAccount, io: PlatformIo): Promise<Profile | undefined> {
  const answer = await withSession(account, io, ({ host, accessJwt: token }) => {
    const query = { actors: [actor] }
    return xrpc({ host, method: 'GET', nsid: 'app.bsky.actor.getProfiles', token, query }, profiles, io)
  })
  return answer.profiles[0]
}
