import * as z from 'zod'
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
 * An account's public profile. Uses the batch endpoint with one actor because it simply omits missing accounts; the
 * single-profile call reports them with the same errors it uses when the caller's own account is deactivated.
 *
 * @param actor a DID or a handle
 * @returns undefined if the account does not exist
 * @throws PlatformError
 */
export async function profileOf(actor: string, account: PlatformAccount, io: PlatformIo): Promise<Profile | undefined> {
  const answer = await withSession(account, io, ({ host, accessJwt: token }) => {
    const query = { actors: [actor] }
    return xrpc({ host, method: 'GET', nsid: 'app.bsky.actor.getProfiles', token, query }, profiles, io)
  })
  return answer.profiles[0]
}
