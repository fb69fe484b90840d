import { registerComments } from './facebook/comments.ts'
import { newId } from './facebook/ids.ts'
import { registerLogin } from './facebook/login.ts'
import { registerMe } from './facebook/me.ts'
import { pagesRunBy, personOf } from './facebook/person.ts'
import { registerPhotos } from './facebook/photos.ts'
import { shortId } from './facebook/posts.ts'
import { registerReading } from './facebook/read.ts'
import { registerReels } from './facebook/reels.ts'
import { registerStories } from './facebook/stories.ts'
import { issueTokens } from './facebook/tokens.ts'
import { registerTransfer } from './facebook/transfer.ts'
import { videos } from './facebook/videos.ts'
import { digits } from './meta/digits.ts'
import { fanId } from './meta/fans.ts'
import { refuseAsGraph } from './meta/refusal.ts'
import { signedRequestCall, withoutTokens } from './meta/signed-request.ts'
import { reportUsage } from './meta/usage.ts'
import { reportVersion, withoutVersion } from './meta/versions.ts'
import { takeForms } from './form-body.ts'
import type { StandIn } from './stand-in.ts'

/** Far above the real limit of 30, so that no demo hits it. */
const REELS_PER_DAY = 100_000

/**
 * Facebook's Graph API for the posts, stories and comments of Pages, and the host that receives videos. An account has the Page's token
 * (`accessToken`) and its person's (`userToken`), which yields new Page tokens.
 *
 * The person who logs in manages all Pages; Pages whose label contains `analyst` they can only view. A Page whose label begins
 * with `portfolio` is owned by their business portfolio, one with `client` is a client's; one that also says `unassigned` they may
 * not use. The person of a Page whose label contains `outsider` has no role on the app: until the app is reviewed, they cannot
 * consent, and it may not use their tokens. Tasks have the names of the New Pages Experience, unless the label begins with `classic`.
 *
 * Media are really fetched. The query of a media URL may hold directives, separated by commas:
 * - `?sandbox=processing:5`: a video is processed for five looks;
 * - `?sandbox=error:1363128`: its processing ends in that error; `error:389:1`: only the first time for this URL;
 * - `?sandbox=fetch:324`, `fetch:324:1`: fetching an image or a reel fails; `fetch:robots`: a reel, permanently;
 * - `?sandbox=listed-after:10`: the post is listed ten seconds later;
 * - `?sandbox=comments:video`: comments are accepted under the video, but not under its post;
 * - `?sandbox=unlisted`: the post of a reel is listed among the reels only.
 *
 * Callers that may not moderate see no comments, and get no error.
 *
 * @param options.reelsPerDay how many videos a Page may publish in 24 hours
 */
export function facebookStandInWith(options: { readonly reelsPerDay: number }): StandIn {
  return {
    platform: 'facebook',
    reviewsApps: true,
    rewriteUrl: withoutVersion,
    newExternalId: (ids) => `1${digits(14, ids)}`,
    issueCredentials: (externalId, deps) => issueTokens(externalId, deps),
    // A mention is a post by its author.
    newComment: ({ postId, author }, deps) => ({
      id: `${postId === undefined ? fanId(author) : shortId({ id: postId })}_${newId(deps)}`,
    }),
    removeApp: (page, deps) => {
      for (const one of pagesRunBy({ account: page, kind: 'userToken' }, deps)) withoutTokens(one, deps)
      return signedRequestCall(personOf(page), page, deps)
    },
    register: (app, deps) => {
      app.removeContentTypeParser('text/plain')
      takeForms(app)
      refuseAsGraph(app, { status: 400 })
      reportUsage(app)
      reportVersion(app)
      const closing = new AbortController()
      app.addHook('preClose', async () => closing.abort())
      const all = videos(deps, closing.signal)
      registerPhotos(app, deps, closing.signal)
      registerReels(app, all, deps, options.reelsPerDay)
      registerStories(app, all, deps)
      registerTransfer(app, all, deps)
      registerReading(app, all, deps)
      registerLogin(app, deps)
      registerMe(app, deps)
      registerComments(app, deps)
    },
  }
}

export const facebookStandIn: StandIn = facebookStandInWith({ reelsPerDay: REELS_PER_DAY })
