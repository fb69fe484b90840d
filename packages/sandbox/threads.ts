import { refuseAsGraph } from './meta/refusal.ts'
import { signedRequestCall, withoutTokens } from './meta/signed-request.ts'
import { takeForms } from './form-body.ts'
import type { StandIn } from './stand-in.ts'
import { threadsContainers } from './threads/containers.ts'
import { newId } from './threads/ids.ts'
import { registerListing } from './threads/listing.ts'
import { registerLogin } from './threads/login.ts'
import { registerPosts } from './threads/posts.ts'
import { registerRefresh } from './threads/refresh.ts'
import { registerReplies } from './threads/replies.ts'
import { replyContainers } from './threads/reply-containers.ts'
import { issueTokens } from './threads/tokens.ts'

/**
 * The Threads API for posts and replies, and its login. `threads/containers.ts` lists what a test can ask for through the media's
 * URL. An account whose label begins with `unread` may not read replies. One whose label contains `outsider` is no tester of the
 * app: until the app is reviewed, it cannot consent, and the app may do nothing with its token.
 */
export const threadsStandIn: StandIn = {
  platform: 'threads',
  reviewsApps: true,
  newExternalId: newId,
  issueCredentials: issueTokens,
  newComment: (_given, { ids }) => ({ id: newId(ids) }),
  removeApp: (account, deps) => {
    withoutTokens(account, deps)
    return signedRequestCall(account.externalId, account, deps)
  },
  register: (app, deps) => {
    app.removeAllContentTypeParsers()
    takeForms(app)
    refuseAsGraph(app, { status: 404 })
    registerLogin(app, deps)
    registerRefresh(app, deps)
    registerPosts(app, threadsContainers(app, deps), replyContainers(deps), deps)
    registerListing(app, deps)
    registerReplies(app, deps)
  },
}
