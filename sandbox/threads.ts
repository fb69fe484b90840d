import { refuseAsGraph } from './meta/refusal.ts'
import { takeForms } from './meta/request.ts'
import type { StandIn } from './stand-in.ts'
import { threadsContainers } from './threads/containers.ts'
import { newId } from './threads/ids.ts'
import { registerListing } from './threads/listing.ts'
import { registerLogin } from './threads/login.ts'
import { registerPosts } from './threads/posts.ts'
import { registerRefresh } from './threads/refresh.ts'
import { issueTokens } from './threads/tokens.ts'

/**
 * The Threads API for publishing, and its login. What a test wants to go otherwise than usual it asks for by the media's
 * URL: see `threads/containers.ts`.
 */
export const threadsStandIn: StandIn = {
  platform: 'threads',
  newExternalId: newId,
  issueCredentials: issueTokens,
  register: (app, deps) => {
    app.removeAllContentTypeParsers()
    takeForms(app)
    refuseAsGraph(app, { status: 404 })
    registerLogin(app, deps)
    registerRefresh(app, deps)
    registerPosts(app, threadsContainers(app, deps), deps)
    registerListing(app, deps)
  },
}
