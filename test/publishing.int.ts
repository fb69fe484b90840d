import t from 'tap'
import { connectAccount } from '../commands/connect-account.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { handle, load } from '../commands/handle.ts'
import { retryPost } from '../commands/retry-post.ts'
import { account as accountKind } from '../domain/account/account.ts'
import { post as postKind } from '../domain/post/post.ts'
import type { Platform, Prepared, PublishHandle } from '../platforms/kit/platform.ts'
import { x } from '../platforms/x/index.ts'
import { connectedAccounts, standingOf } from '../projections/models/accounts.ts'
import { findPost, type PostRow } from '../projections/models/posts.ts'
import { MEDIA_TYPES, PLATFORM_KEYS } from '../domain/core/platform.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { streamName } from '../domain/core/event.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { rawServer, until } from './support/outbound-servers.ts'
import { graphError } from './support/facebook.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { givenAccount } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

async function postOf(world: World, id: string): Promise<PostRow> {
  const row = await findPost(world.db, id)
  if (!row) throw new Error(`no post ${id}`)
  return row
}

const fault = (script: Partial<FaultScript> & Pick<FaultScript, 'platform' | 'call' | 'kind'>): FaultScript => ({
  times: 1,
  delayMs: 0,
  retryAfterSeconds: 30,
  accepted: false,
  ...script,
})

const ENDINGS = { image: 'jpg', video: 'mp4', document: 'pdf' } as const

t.test('given an account on each of the platforms', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const accounts = new Map<string, string>()
  for (const platform of PLATFORM_KEYS) accounts.set(platform, await world.account(platform))

  for (const mediaType of MEDIA_TYPES) {
    const takers = PLATFORM_KEYS.filter((platform) => world.platforms[platform].takes[mediaType])
    const name = `when ${mediaType} is queued for all that take it, then it is live once on each, with caption and hashtags`
    await t.test(name, async (t) => {
      const id = await service.queue({
        mediaType,
        mediaUrl: `${world.sandbox.url}/media/sample.${ENDINGS[mediaType]}`,
        selections: Object.fromEntries(takers.map((platform) => [platform, [accounts.get(platform) ?? '']])),
        caption: `Hello ${mediaType}`,
        captionOverrides: { x: `Hello X ${mediaType}` },
        hashtags: ['one', '#two', 'One'],
        firstComment: 'First!',
      })
      await service.drain()
      const row = await postOf(world, id)
      t.equal(row.status, 'published')
      for (const platform of takers) {
        const [result, ...others] = row.results[platform] ?? []
        t.same(others, [])
        t.match(result, { accountId: accounts.get(platform), ok: true, postId: String, url: String }, platform)
        const caption = `Hello ${platform === 'x' ? 'X ' : ''}${mediaType}\n\n#one #two`
        const live = world.sandbox.ledger.posts(platform).filter((post) => post.caption === caption)
        t.equal(live.length, 1, platform)
        const takesComment = world.platforms[platform].firstComment?.of === 'post'
        t.same(result?.ok && result.firstComment, takesComment ? { ok: true } : undefined)
        const comments = world.sandbox.ledger.commentsUnder(platform, live[0]?.id ?? '')
        t.equal(comments.length, takesComment ? 1 : 0, `${platform} comments`)
      }
    })
  }
})

t.test('given platforms whose first comment is an option', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const { ledger } = world.sandbox
  const commented = PLATFORM_KEYS.filter(
    (platform) => world.platforms[platform].firstComment?.of === 'option',
  ).toSorted()
  t.same(commented, ['bluesky', 'linkedin', 'mastodon', 'threads', 'x', 'youtube'])
  // Threads waits for its container within the call, in real time here: `chains.int.ts` has one comment there.
  for (const platform of commented.filter((each) => each !== 'threads')) {
    const account = await world.account(platform)
    const mediaType = world.platforms[platform].takes.image ? ('image' as const) : ('video' as const)
    const mediaUrl = `${world.sandbox.url}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}`
    const own = { mediaType, mediaUrl, selections: { [platform]: [account] } }
    /** What the account wrote under its last post, as a comment or as a post of its own. */
    const under = () => {
      const posts = ledger.posts(platform)
      const postId = posts.findLast(({ inReplyTo }) => inReplyTo === undefined)?.id ?? ''
      return [
        ...ledger.commentsUnder(platform, postId),
        ...posts.filter((post) => post.inReplyTo === postId).map((post) => ({ ...post, text: post.caption })),
      ].map(({ text }) => text)
    }

    await t.test(
      `when a post on ${platform} has one, then it is under it, and the field of the post is not`,
      async (t) => {
        const platformOptions = { [platform]: { firstComment: 'Read on: https://example.com' } }
        const id = await service.queue({ ...own, caption: 'One', firstComment: 'First!', platformOptions })
        await service.drain()
        t.match((await postOf(world, id)).results[platform], [{ ok: true, firstComment: { ok: true } }])
        t.same(under(), ['Read on: https://example.com'])

        const accountOptions = { [account]: { firstComment: 'Of the account' } }
        await service.queue({ ...own, caption: 'Two', platformOptions, accountOptions })
        await service.drain()
        t.same(under(), ['Of the account'])
      },
    )

    await t.test(`when a response of ${platform} is lost, then it is found, and not written again`, async (t) => {
      const isPost = ['threads', 'x'].includes(platform)
      const platformOptions = { [platform]: { firstComment: `A comment of ${platform}` } }
      const id = await service.queue({ ...own, caption: 'Three', platformOptions })
      if (isPost) world.sandbox.faults.script(fault({ platform, call: 'publish', kind: 'accept_then_timeout' }))
      const call = isPost ? 'publish' : 'reply'
      world.sandbox.faults.script(fault({ platform, call, kind: 'accept_then_timeout' }))
      await service.drain()
      const { results } = await postOf(world, id)
      t.match(results[platform], [{ ok: true, firstComment: { ok: true } }])
      t.same(under(), [`A comment of ${platform}`])
    })

    await t.test(`when one breaks a rule of ${platform}, then nothing is published`, async (t) => {
      const before = ledger.posts(platform).length
      const broken =
        platform === 'youtube' ? { firstComment: 'No', privacy: 'private' } : { firstComment: 'x'.repeat(3001) }
      const platformOptions = { [platform]: broken }
      const id = await service.queue({ ...own, caption: 'Four', platformOptions })
      await service.drain()
      t.match((await postOf(world, id)).results[platform], [
        { ok: false, error: /^First comment: .*3001|no comments on private/ },
      ])
      t.equal(ledger.posts(platform).length, before)
    })
  }
})

t.test('given a workspace whose media server never answers', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world, { slots: 8, delaysMs: [] })
  const silent = await rawServer(t, () => undefined)
  const attackers = await Promise.all(Array.from({ length: 10 }, () => world.account('x', 'ws_attacker')))
  const hanging: string[] = []
  for (const accountId of attackers) {
    for (let n = 0; n < 4; n += 1) {
      const selections = { x: [accountId] }
      hanging.push(await service.queue({ workspaceId: 'ws_attacker', mediaUrl: `${silent.url}/${n}`, selections }))
    }
  }
  const attack = service.step()
  await until(() => silent.open() >= 6)

  await t.test('when another workspace posts, then its post is published all the same', async (t) => {
    const victims = [await world.account('x'), await world.account('bluesky')]
    const id = await service.queue({ selections: { x: victims.slice(0, 1), bluesky: victims.slice(1) } })
    const meanwhile = service.step()
    const settled = async () => {
      const { rowCount } = await world.db.query(`select from log.events where stream = $1 and type = 'PostFinished'`, [
        streamName(postKind, id),
      ])
      return rowCount === 1
    }
    while (!(await settled())) await systemClock.sleep(20)
    t.ok(silent.open() >= 6, 'while the attacker still waits')
    await world.clock.advanceTo(world.clock.now() + 16_000)
    await Promise.all([attack, meanwhile])
    t.match(await postOf(world, id), { status: 'published' })
  })

  await t.test('then its own posts fail, and say why', async (t) => {
    const done = service.drain()
    let over = false
    void done.finally(() => (over = true))
    while (!over) {
      await systemClock.sleep(20)
      await world.clock.advanceTo(world.clock.now() + 1_000)
    }
    await done
    for (const id of hanging) {
      t.match(await postOf(world, id), {
        status: 'publish_failed',
        results: { x: [{ error: /sent nothing within 15 s/ }] },
      })
    }
  })
})

t.test('given accounts that do not exist, belong to others or are of another platform', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const mine = await world.account('x')
  const theirs = await world.account('x', 'ws_other')

  await t.test('when a post names them, then each is a failure item, and the good one is published', async (t) => {
    const id = await service.queue({
      selections: { x: [mine, theirs, 'acc_none', mine], threads: [mine], instagrm: ['acc_1'], tiktok: [] },
    })
    await service.drain()
    const { status, results } = await postOf(world, id)
    t.equal(status, 'published')
    t.equal(results['x']?.length, 3, 'a repeated id counts once')
    t.match(results['x'], [
      { accountId: mine, ok: true },
      { accountId: theirs, ok: false, error: /^No connected account was found for platform x/ },
      { accountId: 'acc_none', ok: false, error: /^No connected account was found for platform x/ },
    ])
    t.match(results['threads'], [{ accountId: mine, ok: false }])
    t.match(results['instagrm'], [{ ok: false, error: 'No connected account was found for platform instagrm.' }])
    t.match(results['tiktok'], [{ ok: false, error: 'No connected account was found for platform tiktok.' }])
    t.equal(world.sandbox.ledger.posts('x').length, 1)
  })

  await t.test('when no account is good, then the post has failed at once', async (t) => {
    const id = await service.queue({ selections: { instagrm: ['acc_1'], tiktok: [] } })
    await service.step()
    t.match(await postOf(world, id), { status: 'publish_failed' })
  })
})

t.test(
  'given an account is disconnected while its post is under way, then the post settles all the same',
  async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world)
    for (const call of ['publish', 'comment'] as const) {
      const accountId = await world.account('facebook')
      world.sandbox.faults.script(fault({ platform: 'facebook', call, kind: 'accept_then_timeout' }))
      const id = await service.queue({ selections: { facebook: [accountId] }, firstComment: 'First!' })
      await service.step()
      await service.step()
      t.match(await postOf(world, id), { status: 'processing' }, `the answer to the ${call} is lost`)
      await handle(world, accountKind, accountId, causedBy(`disconnect ${accountId}`), disconnectAccount)
      await service.drain()
      t.match(
        await postOf(world, id),
        call === 'publish'
          ? {
              status: 'publish_failed',
              results: { facebook: [{ ok: false, outcome: 'unknown', error: /disconnected/ }] },
            }
          : {
              status: 'published',
              results: { facebook: [{ ok: true, firstComment: { ok: false, error: /disconnected/ } }] },
            },
      )
    }
  },
)

t.test(
  'given an account that may publish and not comment, when it does both, then its next post is published',
  async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world)
    for (const platform of ['facebook', 'instagram'] as const) {
      const proxy = await interceptingProxy(t, `${world.sandbox.url}/${platform}`)
      const { credentials } = await givenAccount(world.http, world.sandbox, platform)
      const accountId = await world.connect(platform, { credentials, baseUrl: proxy.url })
      const publish = async (firstComment: string) => {
        const id = await service.queue({ selections: { [platform]: [accountId] }, caption: firstComment, firstComment })
        await service.drain()
        return postOf(world, id)
      }
      proxy.next('/comments', graphError(200, undefined, { status: 403, message: 'Requires pages_manage_engagement' }))
      t.match(await publish('One'), {
        status: 'published',
        results: { [platform]: [{ ok: true, firstComment: { ok: false, error: /lacks a permission/ } }] },
      })
      t.match(await load(world.log, accountKind, accountId), { status: 'connected', needsReauth: undefined })
      t.match(await publish('Two'), {
        status: 'published',
        results: { [platform]: [{ ok: true, firstComment: { ok: true } }] },
      })
    }
  },
)

t.test('given a platform that misbehaves', async (t) => {
  const scenarios: readonly {
    readonly name: string
    readonly fault: FaultScript
    readonly live: number
    readonly status: string
    readonly result: object
  }[] = [
    {
      name: 'the answer to the publish is lost: it is found, not sent again',
      fault: fault({ platform: 'x', call: 'publish', kind: 'accept_then_timeout' }),
      live: 1,
      status: 'published',
      result: { ok: true },
    },
    {
      name: 'it answers 500 after it took the post: found',
      fault: fault({ platform: 'x', call: 'publish', kind: 'server_error', accepted: true }),
      live: 1,
      status: 'published',
      result: { ok: true },
    },
    {
      name: 'it answers 500 and took nothing: proven absent, then sent again',
      fault: fault({ platform: 'x', call: 'publish', kind: 'server_error', times: 2 }),
      live: 1,
      status: 'published',
      result: { ok: true },
    },
    {
      name: 'it is over its rate limit: it is waited for',
      fault: fault({ platform: 'x', call: 'publish', kind: 'rate_limit', retryAfterSeconds: 900 }),
      live: 1,
      status: 'published',
      result: { ok: true },
    },
    {
      name: 'it refuses the post: that is final and says why',
      fault: fault({ platform: 'x', call: 'publish', kind: 'reject' }),
      live: 0,
      status: 'publish_failed',
      result: { ok: false, error: String, outcome: undefined },
    },
    {
      name: 'the access has expired: it is renewed',
      fault: fault({ platform: 'x', call: 'publish', kind: 'token_expired' }),
      live: 1,
      status: 'published',
      result: { ok: true },
    },
    {
      name: 'it fails for longer than is tried: given up with the reason',
      fault: fault({ platform: 'x', call: 'publish', kind: 'rate_limit', times: 100 }),
      live: 0,
      status: 'publish_failed',
      result: { ok: false, error: /429/ },
    },
    {
      name: 'it answers 503 for longer than is tried, and took nothing: given up with the reason',
      fault: fault({ platform: 'x', call: 'publish', kind: 'server_error', times: 100 }),
      live: 0,
      status: 'publish_failed',
      result: { ok: false, error: /HTTP 503.*The post is not on the platform/, outcome: undefined },
    },
    {
      name: 'an idempotent platform loses the answer: the repeat finds it',
      fault: fault({ platform: 'bluesky', call: 'publish', kind: 'accept_then_timeout' }),
      live: 1,
      status: 'published',
      result: { ok: true },
    },
  ]
  for (const { name, fault, live, status, result } of scenarios) {
    await t.test(`when ${name}`, async (t) => {
      const world = await givenWorld(t)
      const service = await givenProcess(world)
      const accountId = await world.account(fault.platform)
      world.sandbox.faults.script(fault)
      const id = await service.queue({ selections: { [fault.platform]: [accountId] } })
      await service.drain()
      const row = await postOf(world, id)
      t.equal(row.status, status)
      t.match(row.results[fault.platform], [{ accountId, ...result }])
      t.equal(world.sandbox.ledger.posts(fault.platform).length, live)
    })
  }
})

t.test('given an idempotent platform that lost the answer and then no longer takes the credentials', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const accountId = await world.account('bluesky')
  const scripted = { platform: 'bluesky', call: 'publish' } as const
  world.sandbox.faults.script(fault({ ...scripted, kind: 'accept_then_timeout' }))
  world.sandbox.faults.script(fault({ ...scripted, kind: 'token_expired', times: 4 }))
  const id = await service.queue({ selections: { bluesky: [accountId] } })
  await service.drain()
  t.match(await postOf(world, id), {
    status: 'publish_failed',
    results: { bluesky: [{ ok: false, outcome: 'unknown' }] },
  })

  await t.test('when it is connected again and the post retried, then it is found, not sent again', async (t) => {
    const connected = await load(world.log, accountKind, accountId)
    if (connected.status !== 'connected') return t.fail('the account is gone')
    const { workspaceId, platform, externalId, label, baseUrl } = connected
    const command = { workspaceId, platform, externalId, label, baseUrl }
    await handle(world, accountKind, accountId, causedBy('again'), (state) => connectAccount(state, command))
    await handle(world, postKind, id, causedBy('retry'), (state) => retryPost(state, 'bluesky'))
    await service.drain()
    t.match(await postOf(world, id), { status: 'published', results: { bluesky: [{ ok: true }] } })
    t.equal(world.sandbox.ledger.posts('bluesky').length, 1)
  })
})

t.test('given an account whose platform asks it to wait', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const [tired, other] = [await world.account('x'), await world.account('x')]
  world.sandbox.faults.script(fault({ platform: 'x', call: 'publish', kind: 'rate_limit', retryAfterSeconds: 3_600 }))
  const first = await service.queue({ selections: { x: [tired] } })
  await service.step()

  await t.test('when more is to go out on it, then it waits without asking, and other accounts do not', async (t) => {
    const calls: string[] = []
    const counted = await givenProcess(world, {
      http: { ...world.http, request: (url, request) => (calls.push(url), world.http.request(url, request)) },
    })
    const second = await counted.queue({ selections: { x: [tired] } })
    await counted.step()
    t.same(calls, [])
    t.match(await postOf(world, second), { status: 'processing' })
    const [row] = (await connectedAccounts(world.db, world.workspaceId)).filter(({ id }) => id === tired)
    t.match(row && standingOf(row, world.clock.now()), { status: 'resting', restsUntil: String })

    const elsewhere = await counted.queue({ selections: { x: [other] } })
    await counted.step()
    t.match(await postOf(world, elsewhere), { status: 'published' })

    const restedUntil = Date.parse(row?.restsUntil ?? '')
    await counted.drain()
    t.ok(world.clock.now() >= restedUntil)
    t.match(await postOf(world, first), { status: 'published' })
    t.match(await postOf(world, second), { status: 'published' })
    t.equal(world.sandbox.ledger.posts('x').length, 3)
  })
})

t.test('given an account whose credentials the platform no longer takes', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const account = await world.account('tiktok')
  world.sandbox.faults.script(fault({ platform: 'tiktok', call: 'publish', kind: 'token_expired', times: 4 }))
  const first = await service.queue({ selections: { tiktok: [account] } })
  await service.drain()
  t.match(await postOf(world, first), { results: { tiktok: [{ ok: false }] } })
  const [row] = await connectedAccounts(world.db, world.workspaceId)
  t.match(row && standingOf(row, world.clock.now()), { status: 'needs_reauth', reason: String })

  await t.test('when more is to go out on it, then it fails at once and says why, without asking', async (t) => {
    const refuse = async (): Promise<never> => {
      throw new Error('no calls')
    }
    const offline = await givenProcess(world, {
      http: { request: refuse, stream: refuse, close: async () => undefined },
    })
    const second = await offline.queue({ selections: { tiktok: [account] } })
    await offline.step()
    t.match(await postOf(world, second), {
      status: 'publish_failed',
      results: { tiktok: [{ error: row?.needsReauth }] },
    })
  })

  await t.test('when its owner has connected it again, then posts go out', async (t) => {
    const command = {
      workspaceId: world.workspaceId,
      platform: 'tiktok',
      externalId: row?.externalId ?? '',
      label: 'again',
      baseUrl: row?.baseUrl ?? '',
    } as const
    await handle(world, accountKind, account, causedBy('again'), (state) => connectAccount(state, command))
    const third = await service.queue({ selections: { tiktok: [account] } })
    await service.drain()
    t.match(await postOf(world, third), { status: 'published' })
  })
})

t.test('given a platform that takes its time, before and after the visible call', async (t) => {
  let [uploads, looks, searches] = [0, 0, 0]
  const slow: Platform = {
    ...x,
    proof: { image: 'handle', video: 'handle' },
    prepare: async (job, io, earlier) => {
      if (earlier) return (looks += 1) < 3 ? working(earlier) : { outcome: 'ready', handle: earlier }
      uploads += 1
      const prepared = await x.prepare(job, io, undefined)
      return working(prepared.handle)
    },
    publish: async (job, handle, io) => {
      await x.publish(job, handle, io)
      return { outcome: 'processing', lookAgainMs: 7_000 }
    },
    find: async (job, handle, io) => {
      searches += 1
      if (job.text === 'Refused') return { outcome: 'refused', error: 'The video is too dull.' }
      if (searches < 3) return { outcome: 'processing', lookAgainMs: 7_000 }
      return (await x.find?.(job, handle, io)) ?? { outcome: 'unknown' }
    },
  }
  const working = (handle: PublishHandle): Prepared => ({ outcome: 'processing', handle, lookAgainMs: 5_000 })
  const world = await givenWorld(t, { platforms: { x: slow } })
  const account = await world.account('x')
  const began = world.clock.now()

  await t.test(
    'when it is processed again and again, also by another process, then everything is done once',
    async (t) => {
      const id = await (await givenProcess(world)).queue({ selections: { x: [account] } })
      await (await givenProcess(world)).step()
      t.match(await postOf(world, id), { status: 'processing' })
      await (await givenProcess(world)).drain()
      t.match(await postOf(world, id), { status: 'published', results: { x: [{ ok: true }] } })
      t.same([uploads, looks, searches], [1, 3, 3])
      t.equal(world.sandbox.ledger.posts('x').length, 1)
      t.ok(world.clock.now() - began >= 3 * 5_000 + 3 * 7_000, 'at the pace of the platform')
      const events = (await world.log.read(`post-${id}`)).map(({ type }) => type)
      t.same(events, [
        'PostQueued',
        'PublishStarted',
        'PublishProgressed',
        'PublishPrepared',
        'AccountPublished',
        'PostFinished',
      ])
    },
  )

  await t.test('when it takes the call and then not the post, then the reason is shown', async (t) => {
    const service = await givenProcess(world)
    const id = await service.queue({ selections: { x: [account] }, caption: 'Refused' })
    await service.drain()
    t.match(await postOf(world, id), { results: { x: [{ ok: false, error: 'The video is too dull.' }] } })
  })
})
