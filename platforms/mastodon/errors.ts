import * as z from 'zod'
import { errorTable } from '../kit/errors.ts'
import { heard, jsonOf } from '../kit/rest.ts'

const text = z.string().catch('')
const errorAnswer = z.object({ error: text, error_description: text })

/** Mastodon has no codes: a status and a sentence, in the words of the server's own locale files where a row depends on them. */
export const { refused, is } = errorTable({
  name: 'Mastodon',
  rows: {
    scope: {
      status: [403],
      says: /outside the authorized scopes/i,
      kind: 'forbidden',
      text: 'The access lacks a permission that this needs. Connect the account again, and allow it',
    },
    'not ready': {
      says: /not finished processing/i,
      kind: 'retryable',
      waitMs: 5_000,
      text: 'Mastodon is still processing the media',
    },
    'unusable media': {
      says: /not found or already attached/i,
      kind: 'retryable',
      text: 'Mastodon no longer has the uploaded media',
    },
    thumbnail: {
      says: /processing thumbnail/i,
      kind: 'permanent',
      text: 'Mastodon cannot process the media',
    },
    'too large': { status: [413], kind: 'permanent', text: 'The media is too large for the Mastodon server' },
  },
  read: (response) => {
    const { error = '', error_description = '' } = errorAnswer.safeParse(jsonOf(response)).data ?? {}
    const said = error_description || error
    return { said, details: heard(response.status, said) }
  },
  waitOf: ({ accountRests, headers, askedMs, waitMs, now }) => {
    if (!accountRests) return waitMs
    // ISO 8601, where other platforms have a number.
    const reset = Date.parse(headers['x-ratelimit-reset'] ?? '')
    return Number.isNaN(reset) ? askedMs : Math.max(1_000, reset - now)
  },
})
