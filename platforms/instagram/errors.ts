import { graphErrors, HOUR_MS, PERHAPS_DONE, subcodes } from '../meta/errors.ts'

/** Instagram's error codes, and what they mean. */
export const errors = graphErrors({
  name: 'Instagram',
  rows: {
    'not professional': {
      kind: 'forbidden',
      text: 'The account is no longer an Instagram business or creator account',
    },
    // Per rolling day: a slot frees up at any time, and certainly within four such waits.
    quota: {
      codes: [9, ...subcodes(2207042)],
      kind: 'retryable',
      text: 'The account has published as many posts as Instagram allows in a day',
      waitMs: 6 * HOUR_MS,
      accountRests: true,
    },
    // Seen even though the post was live.
    spam: { codes: subcodes(2207051), kind: PERHAPS_DONE, text: 'Instagram flagged this as spam' },
    restricted: {
      codes: [25, ...subcodes(2207050)],
      kind: 'permanent',
      text: 'Instagram has restricted the account. Its owner must resolve this in the Instagram app',
    },
    unfetchable: {
      codes: [9004, ...subcodes(2207052)],
      kind: PERHAPS_DONE,
      text: 'Instagram could not fetch the media from its URL',
    },
    'failed processing': {
      codes: subcodes(2207077, 2207082, 2207085),
      kind: PERHAPS_DONE,
      text: 'Instagram could not process the media',
    },
    'slow download': {
      codes: [-2, ...subcodes(2207003)],
      kind: 'lost',
      text: 'Instagram could not fetch the media fast enough',
    },
    'not ready': {
      codes: [9007, ...subcodes(2207027)],
      kind: 'retryable',
      text: 'Instagram is still processing the media',
      waitMs: 30_000,
    },
    gone: {
      codes: [24, ...subcodes(2207006, 2207008, 2207020)],
      kind: 'retryable',
      text: 'Instagram no longer has the prepared media',
      waitMs: 60_000,
    },
    // Without advanced access, Instagram leaves out comments by people without a role on the app, though it counts them.
    'comments withheld': {
      kind: 'forbidden',
      limit: 'app_not_approved',
      text: 'Instagram counts comments on the posts of the account, but lists none: it does so if your Meta app has no advanced access. Request it for the comments permission in App Review at developers.facebook.com. If the app has it, nothing needs to be done',
    },
    // The comment was created, but Instagram refused to return it.
    'made, not shown': {
      codes: subcodes(1772107),
      kind: PERHAPS_DONE,
      text: 'Instagram refused to return the result',
    },
  },
  changes: {
    'rate limit': { codes: [80002] },
    refused: {
      codes: [
        ...[352, 36000, 36001, 36003, 36004],
        ...subcodes(2207004, 2207005, 2207009, 2207010, 2207023, 2207026, 2207040, 2207057),
      ],
    },
    failed: { codes: [-1, ...subcodes(2207001, 2207032, 2207053)] },
  },
  refine: (found, { message }) => (/not an Instagram Business/i.test(message) ? 'not professional' : found),
})

type Refusal = keyof typeof errors.rows

/** Maximum number of further containers, after the first, when one fails for this; otherwise none. */
export const AGAIN: Readonly<Partial<Record<Refusal, number>> & Record<'gone' | 'failed', number>> = {
  unfetchable: 1,
  'failed processing': 1,
  'slow download': 3,
  gone: 3,
  failed: 3,
}
