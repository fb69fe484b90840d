import { graphErrors, HOUR_MS, PERHAPS_DONE, subcodes } from '../meta/errors.ts'

/** Refusals that share their code with others. */
const SAID = [
  [/must be granted before impersonating a user's page/i, 'permission'],
  [/must be posted to a page as the page itself/i, 'not a Page token'],
  [/already posted this/i, 'duplicate'],
] as const

/** Facebook's error codes, and what they mean. */
export const errors = graphErrors({
  name: 'Facebook',
  rows: {
    unapproved: {
      codes: [10],
      says: /\bfeature\b/i,
      kind: 'forbidden',
      limit: 'app_not_approved',
      text: 'Your Meta app has no advanced access for this, and the person who connected the Page has no role on the app. Request the access in App Review at developers.facebook.com, or give them a role there; then connect the account again',
    },
    'not a Page token': {
      codes: subcodes(2069032),
      kind: 'needs-reauth',
      text: "The access token is a person's. Connect the account again with the access token of the Page",
    },
    authorization: {
      codes: subcodes(1404078),
      kind: 'permanent',
      text: "The person who connected the Page must first complete Facebook's Page publishing authorization",
    },
    'security check': {
      codes: subcodes(1404006, 4854002),
      kind: 'permanent',
      text: 'The person who connected the Page must first confirm their identity on Facebook',
    },
    'too fast': {
      codes: subcodes(1390008),
      kind: 'retryable',
      text: 'The Page publishes faster than Facebook allows',
      waitMs: HOUR_MS,
      accountRests: true,
    },
    // May be the very post whose response was lost.
    duplicate: {
      codes: [506, ...subcodes(1366051)],
      kind: PERHAPS_DONE,
      text: 'Facebook says that the same content was just posted',
    },
    'bad media': {
      codes: [351, 352, 382, ...subcodes(1363040, 1363127, 1363128, 1363129, 1366046)],
      kind: 'permanent',
      text: 'Facebook does not accept the media',
    },
    unfetchable: {
      codes: [324, 389, 6000, 6001, ...subcodes(2069019)],
      kind: PERHAPS_DONE,
      text: 'Facebook could not fetch the media from its URL, or could not use it',
    },
  },
  changes: {
    permission: {
      text: 'The access token lacks a permission, or its owner lacks a task on the Page. Grant it, then connect the account again. If nothing is missing, your Meta app needs advanced access: request it in App Review at developers.facebook.com',
    },
    'rate limit': { codes: [341, 80001] },
    blocked: {
      codes: subcodes(1346003, 1404102, 1404112),
      text: 'Facebook has blocked this, or restricted the account, under its policies',
    },
    refused: { codes: subcodes(1349125, 1609005, 1609008, 2061006, 2069030) },
    // Seen even though every post was live.
    failed: { codes: subcodes(1363030, 1363047, 1609010) },
  },
  // Subcodes whatever the code: a permission that is missing only for lack of an authorization needs no other token.
  codesOf: ({ code, subcode }) => [...subcodes(...(subcode === undefined ? [] : [subcode]), code), code],
  refine: (found, { transient, status, message }) => {
    const said = SAID.find(([words]) => words.test(message))
    if (said) return said[1]
    if (found !== undefined && found !== 'refused') return found
    return transient ? 'failed' : status === 404 ? 'unreadable' : found
  },
})
