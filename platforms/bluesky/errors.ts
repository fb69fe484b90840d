import * as z from 'zod'
import { byStatus, errorTable, hasCode } from '../kit/errors.ts'
import { jsonOf, quoted } from '../kit/rest.ts'

/** The token is invalid or expired; a newer one may work. */
const STALE_SESSION = ['ExpiredToken', 'InvalidToken', 'AuthMissing']

const errorWords = z.object({ error: z.string().catch(''), message: z.string().catch('') })
/** The video service may wrap its refusals as it does a job's status. */
const errorAnswer = z.union([z.object({ jobStatus: errorWords }).transform((answer) => answer.jobStatus), errorWords])

/** By the error's name. A text that ends with a period is complete; one that ends with a colon is followed by the details. */
export const { refused } = errorTable({
  name: 'Bluesky',
  rows: {
    // The account itself is disabled until its owner acts; a new token does not help.
    deactivated: { codes: ['AccountDeactivated'], kind: 'permanent', text: 'The Bluesky account is deactivated.' },
    suspended: { codes: ['AccountSuspended'], kind: 'permanent', text: 'The Bluesky account is suspended.' },
    'taken down': { codes: ['AccountTakedown'], kind: 'permanent', text: 'Bluesky has taken the account down.' },
    session: { codes: STALE_SESSION, kind: 'needs-reauth', text: 'Bluesky no longer accepts the session:' },
    'second factor': {
      codes: ['AuthFactorTokenRequired'],
      kind: 'needs-reauth',
      text: 'Bluesky requires a second factor. Use an app password instead of the main password.',
    },
    unconfirmed: {
      codes: ['unconfirmed_email'],
      kind: 'permanent',
      text: "Bluesky accepts videos only from accounts with a confirmed e-mail address. Confirm it in Bluesky's settings, then publish again.",
    },
    // The account was deleted, moved or taken down. A login tells more, or works again.
    unknown: {
      says: /^InvalidRequest Could not find user info/,
      kind: 'needs-reauth',
      text: "The account's Bluesky server no longer has the account. Check that it still exists, then connect it again:",
    },
    // A service rejected the token that the account's server issued for it. The session itself is fine.
    'service token': {
      says: /^(?:BadJwt|JwtExpired|invalid token)/,
      kind: 'retryable',
      text: "Bluesky did not accept a token from the account's server:",
    },
    password: {
      status: [401],
      kind: 'needs-reauth',
      text: 'Bluesky did not accept the identifier or app password:',
    },
    // The server dropped an unreferenced upload; the next attempt uploads it again.
    blob: { says: /^BlobNotFound\b/, kind: 'retryable', text: 'Bluesky no longer has the uploaded media:' },
    'too large': {
      status: [413],
      kind: 'permanent',
      text: "The media is too large for the account's Bluesky server:",
    },
  },
  common: {
    'rate limit': { text: "Bluesky's rate limit was reached." },
    refused: { text: 'Bluesky refused the request:' },
  },
  read: (response) => {
    const { error = '', message = '' } = errorAnswer.safeParse(jsonOf(response)).data ?? {}
    const details = quoted(message === '' ? `HTTP ${response.status} ${error}`.trim() : message)
    return { codes: [error], said: `${error} ${message}`, details }
  },
  // A limit or a failure is one whatever its name.
  settle: (found, status) =>
    status === 408 || status === 429 || status >= 500 ? byStatus(status) : (found ?? 'refused'),
  waitOf: ({ accountRests, headers, askedMs, now }) => {
    if (!accountRests) return undefined
    // A Unix time in seconds.
    const reset = Number(headers['ratelimit-reset'])
    return reset > 0 ? Math.max(1000, reset * 1000 - now) : askedMs
  },
  worded: (text, details) =>
    text.endsWith('.') ? text : text.endsWith(':') ? `${text} ${details}` : `${text} (${details}).`,
})

export function isStaleSession(error: unknown): boolean {
  return hasCode(error, ...STALE_SESSION)
}
