import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { errorTable, type Pause } from '../kit/errors.ts'
import type { PlatformError } from '../kit/platform.ts'
import { heard, jsonOf, pageTitle } from '../kit/rest.ts'

const { refused, is, errorOf } = errorTable({
  name: 'X',
  rows: {
    access: {
      status: [403],
      says: /unsupported[ -]authentication|oauth1-permissions|scope/i,
      kind: 'forbidden',
      text: 'The access granted by X is of the wrong kind or lacks a scope. Check that the app has the permission "Read and write" in the X developer console, then connect the account again.',
    },
    app: {
      status: [403],
      says: /client-forbidden|client-not-enrolled|different access level|not permitted to access this feature/i,
      kind: 'permanent',
      limit: 'app_not_approved',
      text: 'X does not allow this app to use its API. Check the app in the X developer console: it must belong to a project with access to the API.',
    },
    'media scope': {
      kind: 'forbidden',
      text: 'X refused the upload, which usually means that the access lacks the scope media.write. Check that the app has the permission "Read and write", then connect the account again',
    },
    'too long': {
      status: [403],
      says: /not allowed to post a video longer/i,
      kind: 'permanent',
      text: 'The video is longer than X allows this account.',
    },
    duplicate: {
      status: [403],
      says: /duplicate content/i,
      kind: 'permanent',
      text: 'The account recently posted the same text on X. This post may already be published.',
    },
    'not mentioned': {
      status: [403],
      says: /have not been mentioned|only reply to or quote posts/i,
      kind: 'permanent',
      text: 'X allows this app to reply only to users who mentioned or quoted the account.',
    },
    blocked: {
      status: [403],
      says: /cloudflare/i,
      kind: 'retryable',
      text: 'Cloudflare blocked the request before it reached X. X may not accept calls from the IP address of this server.',
    },
    forbidden: {
      status: [403],
      kind: 'permanent',
      text: 'X does not allow this for the account or for the content.',
    },
    'unusable media': {
      status: [400],
      says: /media ids? (?:are|is) invalid/i,
      kind: 'permanent',
      text: 'X does not accept the uploaded media.',
    },
    'bad request': { status: [400], kind: 'permanent', text: 'X rejected the request as invalid.' },
    credits: {
      status: [402],
      kind: 'permanent',
      limit: 'billing',
      text: 'The app has no API credits left on X. Buy credits in the X developer console, then publish again.',
    },
    missing: { status: [404], kind: 'permanent', text: 'X could not find the requested item.' },
    'usage cap': {
      status: [429],
      says: /usage-capped|usage ?cap|spend/i,
      kind: 'permanent',
      limit: 'billing',
      text: 'The app has reached its usage or spending cap on X for this period. Raise the cap in the X developer console.',
    },
  },
  common: {
    token: { text: 'X no longer accepts the access token. Connect the account again.' },
    'rate limit': { text: "X's rate limit was reached." },
  },
  read: (response) => {
    const { shown, said } = wordsOf(response)
    return { said, details: heard(response.status, shown) }
  },
  waitOf: (pause) => (pause.accountRests ? untilReset(pause) : undefined),
  worded: (text, details) => (text.endsWith('.') ? `${text} (${details}.)` : `${text} (${details}).`),
})

export { errorOf, is, refused }

/** X's whole answer to a call for which the access has no scope: `{"title":"Forbidden","detail":"Forbidden"}`. */
const BARE = /^(?:(?:forbidden|about:blank) ?)+$/i

/** What an upload was refused for if X gives no reason; undefined if the error is another. */
export function missingScope(error: unknown): PlatformError | undefined {
  const isBare = is(error, 'forbidden') && BARE.test(error.said)
  return isBare ? errorOf('media scope', heard(error.status, error.said)) : undefined
}

const text = z.string().catch('')
const problem = z.object({
  title: text,
  detail: text,
  type: text,
  reason: text,
  error: text,
  error_description: text,
  errors: z
    .array(z.object({ message: text, parameters: z.record(z.string(), z.unknown()).catch({}) }).catch(noError))
    .catch([]),
})

function noError(): { message: string; parameters: Record<string, unknown> } {
  return { message: '', parameters: {} }
}

/** X has several error formats; this collects all text from any of them. */
function wordsOf(response: HttpResponse): { readonly shown: string; readonly said: string } {
  const result = problem.safeParse(jsonOf(response))
  if (!result.success) {
    // Intermediate proxies answer in HTML.
    const title = pageTitle(response)
    return { shown: title, said: title }
  }
  const { title, detail, type, reason, error, error_description: description, errors } = result.data
  const shown = [...new Set([detail || title || description || error, ...errors.map(({ message }) => message)])]
  const parameters = errors.flatMap((each) => Object.keys(each.parameters))
  const rest = [title, type.slice(type.lastIndexOf('/') + 1), reason, error, description, ...parameters]
  const join = (words: readonly string[]): string => words.filter((word) => word !== '').join(' ')
  return { shown: join(shown), said: join([...shown, ...rest]) }
}

/** Rate limit windows: 15 minutes, and two of a day. */
const WINDOWS = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour']

/** Milliseconds until every exhausted window has reset; resets are Unix times in seconds. */
function untilReset({ headers, askedMs, now }: Pause): number | undefined {
  const resets = (names: readonly string[]): readonly number[] =>
    names.map((name) => Number(headers[`${name}-reset`])).filter((reset) => reset > 0)
  const usedUp = resets(WINDOWS.filter((name) => headers[`${name}-remaining`]?.trim() === '0'))
  const known = usedUp.length > 0 ? usedUp : resets(WINDOWS.slice(0, 1))
  return known.length > 0 ? Math.max(1_000, Math.max(...known) * 1_000 - now) : askedMs
}
