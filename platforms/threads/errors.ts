import { graphErrors, HOUR_MS, PERHAPS_DONE, subcodes } from '../meta/errors.ts'

/** Threads' error codes, and what they mean. Its own arrive as a subcode in some responses, and as the code in others. */
export const errors = graphErrors({
  name: 'Threads',
  rows: {
    // Per rolling day: a slot frees up at any time, and certainly within four such waits.
    quota: {
      kind: 'retryable',
      text: 'The account has published as many posts as Threads allows in a day',
      waitMs: 6 * HOUR_MS,
      accountRests: true,
    },
    // Per rolling day too. Posts have their own quota.
    'reply quota': {
      kind: 'retryable',
      text: 'The account has sent as many replies as Threads allows in a day',
      waitMs: HOUR_MS,
    },
    // May occur even though the post is live.
    spam: { codes: [2207051, ...subcodes(2207051)], kind: PERHAPS_DONE, text: 'Threads flagged this as spam' },
    restricted: {
      codes: [4279013, ...subcodes(4279013)],
      kind: 'permanent',
      text: 'Threads has restricted the profile. Its owner must resolve this in the Threads app',
    },
    unfetchable: {
      codes: [2207052, ...subcodes(2207052)],
      kind: PERHAPS_DONE,
      text: 'Threads could not fetch the media from its URL',
    },
    unacceptable: { kind: PERHAPS_DONE, text: 'Threads cannot use the media' },
    // Often only for some seconds, right after the container is finished. Publishing the same one again is harmless.
    gone: {
      codes: [24, 4279009, ...subcodes(4279009)],
      kind: { hidden: 'permanent', visible: 'retryable' },
      text: 'Threads could not find the prepared post',
      waitMs: 5_000,
    },
    // Publishing has been answered so, with a 5xx, even though the post was live.
    'permission or failure': {
      codes: [10],
      status: [500, 502, 503, 504],
      kind: { hidden: 'forbidden', visible: 'ambiguous' },
      text: 'Threads failed, saying that your Meta app lacks a permission for this',
    },
    unapproved: {
      codes: [10],
      says: /^application does not have permission/i,
      kind: 'forbidden',
      limit: 'app_not_approved',
      text: 'Your Meta app has no permission to do this for the profile. Request advanced access in App Review at developers.facebook.com, or add the profile to the app as a Threads tester there; then connect it again with all permissions',
    },
    // The supposed container is a published post: only that has no status.
    'has no status': { kind: PERHAPS_DONE, text: 'Threads has already published this' },
  },
  changes: { refused: { codes: subcodes(2207004, 2207005, 2207009, 2207023, 2207026) } },
  refine: (found, { message }) => (/nonexisting field \(status\)/i.test(message) ? 'has no status' : found),
})

/** Maximum number of further containers, after the first, when one fails for this; otherwise none. */
export const AGAIN = { unfetchable: 1, unacceptable: 0, failed: 1, gone: 2 }

/** Maps the error word of a failed container. `UNKNOWN`, and any new word, counts as a failure of Threads. */
export function refusalIn(word: string): 'unfetchable' | 'unacceptable' | 'failed' {
  if (word.startsWith('FAILED_DOWNLOADING_')) return 'unfetchable'
  return /^(?:INVALID|FAILED_PROCESSING)_/.test(word) ? 'unacceptable' : 'failed'
}
