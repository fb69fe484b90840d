import { registerAnalytics } from './pinterest/analytics.ts'
import { boardIds, registerBoards } from './pinterest/boards.ts'
import { digits } from './pinterest/ids.ts'
import { registerMedia } from './pinterest/media.ts'
import { countsAt } from './pinterest/numbers.ts'
import { limitTrial } from './pinterest/trial.ts'
import { registerTokenEndpoint } from './pinterest/oauth.ts'
import { registerPins } from './pinterest/pins.ts'
import { pinterestRefusal, unexpected } from './pinterest/refusal.ts'
import { tokens } from './pinterest/tokens.ts'
import { uploads } from './pinterest/uploads.ts'
import { handleErrors } from './stand-in-refusal.ts'
import type { StandIn } from './stand-in.ts'

/** https://developers.pinterest.com/docs/reference/rate-limits/ */
const TRIAL_CALLS_A_DAY = 1_000

/**
 * Pinterest's API v5 for publishing and Pin analytics, and the storage that receives videos. `pinterest/script.ts` lists what a
 * test can ask for through the media. An app that is not reviewed has Trial access: only the account sees the Pins that it
 * makes, and calls are limited per day.
 *
 * @param options.trialCallsADay for all accounts together, with Trial access
 */
export function pinterestStandInWith(options: { readonly trialCallsADay: number }): StandIn {
  return {
    platform: 'pinterest',
    reviewsApps: true,
    newExternalId: digits,
    issueCredentials: (externalId, deps) => ({
      ...tokens.issue(externalId, deps),
      clientId: digits(deps.ids).slice(0, 7),
      clientSecret: deps.ids.token(),
      boardId: boardOf(externalId),
    }),
    history: {
      identify: ({ accountId, caption, createdAt }, { ids }) => ({
        id: digits(ids),
        details: { boardId: boardOf(accountId), description: caption, listedFrom: createdAt },
      }),
      countsAt,
    },
    register: (app, deps) => {
      app.removeContentTypeParser('text/plain')
      handleErrors(app, unexpected, () => pinterestRefusal(404, 404, 'Not found.').answer)
      limitTrial(app, options.trialCallsADay, deps)
      const videos = uploads(deps)
      registerTokenEndpoint(app, deps)
      registerBoards(app, deps)
      registerMedia(app, videos, deps)
      registerPins(app, videos, deps)
      registerAnalytics(app, deps)
    },
  }
}

export const pinterestStandIn: StandIn = pinterestStandInWith({ trialCallsADay: TRIAL_CALLS_A_DAY })

/** The board that the credentials name. */
function boardOf(externalId: string): string {
  return boardIds(externalId).at(-1) ?? ''
}
