import t from 'tap'
import { PLATFORM_KEYS, PLATFORM_NAMES, type PlatformKey } from '../domain/platform.ts'
import type { Http } from '../platforms/http.ts'
import { findPost } from '../projections/posts.ts'
import { hostilePlatform, INSIDE, WAYS, type WayName } from './support/hostile-platform.ts'
import { givenAccount } from './support/sandbox.ts'
import { givenProcess, givenWorld } from './support/world.ts'

/*
 * A platform that answers one request of a post's in each bad way, whichever request that is: nothing but a sentence and a
 * bounded wait may come of it, no post is live twice, and what is live is told.
 */

/** By default each way meets every third request, and neighbouring ways different ones; with `all`, each meets each. */
const IS_WHOLE = process.env['FANFARE_TEST_HOSTILE'] === 'all'
const TIMEOUT_MS = 200
/** The longest that a post is tried for here, with a day as the longest wait. */
const MOST_MS = 8 * 86_400_000
/** Those that the platform answers after it has done what was asked for: the worst moment for each. */
const VIDEO: readonly PlatformKey[] = ['youtube', 'tiktok']

/** The service's own client, less patient. */
function hasty(http: Http): Http {
  const soon = (request: Parameters<Http['request']>[1] = {}) => ({ ...request, timeoutMs: TIMEOUT_MS })
  return {
    request: (url, request) => http.request(url, soon(request)),
    stream: (url, request) => http.stream(url, request),
    close: () => http.close(),
  }
}

for (const platform of PLATFORM_KEYS) {
  t.test(`given ${platform} as a hostile platform`, async (t) => {
    const world = await givenWorld(t)
    const hostile = await hostilePlatform(t, world.sandbox.url)
    const http = hasty(world.http)
    const mediaType = VIDEO.includes(platform) ? 'video' : 'image'
    const mediaUrl = `${world.sandbox.url}/media/sample.${mediaType === 'video' ? 'mp4' : 'jpg'}`
    const { clock, sandbox } = world

    const account = async (): Promise<string> => {
      const { credentials, baseUrl } = await givenAccount(world.http, sandbox, platform)
      return world.connect(platform, { credentials, baseUrl: baseUrl.replace(sandbox.url, hostile.url) })
    }

    /** One post, of which some requests are answered so. */
    const attempt = async (name: WayName | undefined, which: (request: number) => boolean) => {
      hostile.turn()
      const accountId = await account()
      const service = await givenProcess(world, { http })
      const before = sandbox.ledger.posts(platform).length
      const caption = `A post, ${name ?? 'as usual'}, ${before}`
      const id = await service.queue({
        selections: { [platform]: [accountId] },
        mediaType,
        mediaUrl,
        caption,
        firstComment: 'First',
      })
      const since = clock.now()
      hostile.turn(name, which)
      await service.drain()
      const requests = hostile.requests()
      hostile.turn()
      const row = await findPost(world.db, id)
      const live = sandbox.ledger.posts(platform).length - before
      return { requests, live, row, result: row?.results[platform]?.[0], tookMs: clock.now() - since }
    }

    const usual = await attempt(undefined, () => true)
    t.equal(usual.row?.status, 'published', 'as usual it is published')
    t.ok(usual.requests > 0, 'by requests that it sees')

    for (const [index, name] of (Object.keys(WAYS) as WayName[]).entries()) {
      for (let nth = IS_WHOLE ? 0 : index % 3; nth < usual.requests; nth += IS_WHOLE ? 1 : 3) {
        const { live, row, result, tookMs } = await attempt(name, (request) => request === nth)
        const at = `${name} to request ${nth}`
        if (!result) {
          t.fail(`${at}: it has settled`)
          continue
        }
        t.ok(tookMs < MOST_MS, `${at}: within days, not ${tookMs} ms`)
        t.ok(live <= 1, `${at}: live once at most`)
        const told = JSON.stringify(row?.results)
        t.notOk(
          told.includes(INSIDE) || told.length > 5_000,
          `${at}: nothing of the answer's own is kept: ${told.slice(0, 300)}`,
        )
        if (result.ok) {
          t.equal(live, 1, `${at}: what is told as published is live`)
          t.match(result.firstComment?.error ?? '', /^$|\.$/, `${at}: a sentence`)
        } else {
          t.ok(live === 0 || result.outcome === 'unknown', `${at}: what is live is not told as failed: ${result.error}`)
          t.notMatch(result.error, /undefined|127\.0\.0\.1|UND_ERR|\(\)|: \.|\p{Cc}/u, `${at}: ${result.error}`)
        }
      }
    }
    t.same(hostile.canary, [], 'no other host was called')
    t.ok(process.memoryUsage().rss < 700 * 1024 * 1024, `${PLATFORM_NAMES[platform]} cost little memory`)
  })
}
