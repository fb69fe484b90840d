import { readFile } from 'node:fs/promises'
import t from 'tap'
import * as z from 'zod'
import { LIMIT_CAUSES } from '../domain/account/capability.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import { HttpFailure, type HttpResponse } from '../infra/http/http.ts'
import { refused as bluesky } from '../platforms/bluesky/errors.ts'
import { errors as facebook } from '../platforms/facebook/errors.ts'
import { refused as googlebusiness } from '../platforms/googlebusiness/errors.ts'
import { errors as instagram } from '../platforms/instagram/errors.ts'
import type { Errors } from '../platforms/kit/errors.ts'
import { refused as linkedin } from '../platforms/linkedin/errors.ts'
import { refused as mastodon } from '../platforms/mastodon/errors.ts'
import { refused as pinterest } from '../platforms/pinterest/errors.ts'
import { errors as threads } from '../platforms/threads/errors.ts'
import { refused as tiktok } from '../platforms/tiktok/errors.ts'
import { refused as x } from '../platforms/x/errors.ts'
import { refused as youtube } from '../platforms/youtube/errors.ts'

const REFUSED: Readonly<Record<PlatformKey, Errors<never>['refused']>> = {
  bluesky,
  facebook: facebook.refused,
  googlebusiness,
  instagram: instagram.refused,
  linkedin,
  mastodon,
  pinterest,
  threads: threads.refused,
  tiktok,
  x,
  youtube,
}

/** An answer that a platform is documented, or was reported, to give, and what it means here. */
const rows = z.array(
  z.strictObject({
    /** Where the answer was seen: the address of a page, a thread or a file; `urn:` for a public file without an address. */
    source: z.url(),
    /** The call, in a few words. */
    call: z.string().min(1),
    status: z.number(),
    headers: z.record(z.string(), z.string()).default({}),
    /** JSON as it was sent, or text. */
    body: z.unknown(),
    /** Whether the call could have published something. Default: `hidden`. */
    effect: z.enum(['hidden', 'visible']).default('hidden'),
    kind: z.enum(['permanent', 'retryable', 'needs-reauth', 'forbidden', 'ambiguous']),
    /** What the account shows, beside needs-reauth. */
    account: z.enum(['unchanged', 'resting', ...LIMIT_CAUSES]),
    /** Words of the message that the user gets. */
    message: z.string().min(1),
  }),
)
const FILES = new URL('fixtures/errors/', import.meta.url)
const clock = { now: () => Date.parse('2026-11-27T12:00:00Z') }

for (const platform of PLATFORM_KEYS) {
  t.test(
    `given answers that ${platform} is known to give, when they are read, then each means what it should`,
    async (t) => {
      const known = rows.parse(JSON.parse(await readFile(new URL(`${platform}.json`, FILES), 'utf8')))
      t.ok(known.length >= 15, `${known.length} rows`)
      for (const row of known) {
        const { status, headers, body, effect, kind, account, message } = row
        const said = typeof body === 'string' ? body : JSON.stringify(body)
        const response: HttpResponse = {
          ...{ status, headers, body: Buffer.from(said) },
          text: () => said,
          json: () => jsonIn(said),
        }
        const error = REFUSED[platform](response, effect, clock)
        const shown = error.accountRests ? 'resting' : (error.limit ?? 'unchanged')
        t.same({ kind: error.kind, account: shown }, { kind, account }, `${status} ${said.slice(0, 120)}`)
        t.ok(error.message.includes(message), `${error.message} has: ${message}`)
      }
    },
  )
}

/** As an answer of the HTTP client. */
function jsonIn(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch (error) {
    throw new HttpFailure('malformed', 'the response is not JSON', true, { cause: error })
  }
}
