import { takeForms } from './form-body.ts'
import { registerAccounts } from './mastodon/accounts.ts'
import { registerInstance } from './mastodon/instance.ts'
import { registerMedia } from './mastodon/media.ts'
import { registerNotifications } from './mastodon/notifications.ts'
import { registerLogin } from './mastodon/oauth.ts'
import { HOST } from './mastodon/people.ts'
import { answerOf, refusal } from './mastodon/refusal.ts'
import { registerStatuses } from './mastodon/statuses.ts'
import { issueToken } from './mastodon/tokens.ts'
import { mustBeAccountId } from './refusal.ts'
import { handleErrors } from './stand-in-refusal.ts'
import type { StandIn } from './stand-in.ts'
import { isPost, snowflakes } from './mastodon/ids.ts'

/**
 * A Mastodon server, as https://docs.joinmastodon.org describes its API for posts with images or a video, for what mentions the
 * account, and for the counts of posts. Anyone may register an app.
 * Calls are not rate limited. `mastodon/media.ts` lists what a test can ask for through the end of a video.
 */
export const mastodonStandIn: StandIn = {
  platform: 'mastodon',
  newExternalId: (ids) => `1${BigInt(`0x${ids.token().replaceAll('-', '').slice(0, 14)}`)}@${HOST}`,
  issueCredentials: (externalId, deps) => {
    mustBeAccountId(externalId, /^\d{1,19}@mastodon\.test$/, 'digits@mastodon.test')
    const [clientId, clientSecret] = [deps.ids.token(), deps.ids.token()]
    return { accessToken: issueToken(externalId, deps), clientId, clientSecret }
  },
  newComment: (_given, { clock, ledger }) => ({ id: snowflakes(clock)((id) => isPost(id, ledger)) }),
  register: (app, deps) => {
    app.removeContentTypeParser('text/plain')
    takeForms(app)
    handleErrors(
      app,
      (status, message) => answerOf(status, message),
      () => refusal(404, 'Not Found').answer,
    )
    const ids = snowflakes(deps.clock)
    const newId = () => ids((id) => isPost(id, deps.ledger) || deps.ledger.media('mastodon', id) !== undefined)
    registerLogin(app, deps)
    registerInstance(app)
    registerAccounts(app, deps)
    registerNotifications(app, deps)
    registerStatuses(app, newId, registerMedia(app, newId, deps), deps)
  },
}
