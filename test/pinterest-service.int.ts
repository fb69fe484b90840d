import t, { type Test } from 'tap'
import { handle } from '../commands/handle.ts'
import type { QueuePost } from '../commands/queue-post.ts'
import { derivedId, derivedUlid } from '../domain/core/ids.ts'
import { post } from '../domain/post/post.ts'
import { pinterest } from '../platforms/pinterest/index.ts'
import { projections } from '../projections/models/index.ts'
import { findPost } from '../projections/models/posts.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { lookAlikePosts } from '../reactors/publishing/look-alike-posts.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { pinterestStandIn } from '../packages/sandbox/pinterest.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { fused } from './support/fuse.ts'
import { givenScene, videoHost } from './support/pinterest.ts'
import { givenAccount, postJson } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, vaultOf } from './support/world.ts'

const fault = (script: Partial<FaultScript> & Pick<FaultScript, 'kind'>): FaultScript => ({
  platform: 'pinterest',
  call: 'publish',
  times: 1,
  delayMs: 0,
  retryAfterSeconds: 900,
  accepted: false,
  ...script,
})
const given = { platforms: { pinterest }, standIns: [pinterestStandIn] }

t.test('given a service with a Pinterest account', async (t) => {
  for (const [name, faults, query] of [
    ['all goes well', [], ''],
    ['the answer is lost', [fault({ kind: 'accept_then_timeout' })], ''],
    ['the answer is lost and the list lags', [fault({ kind: 'accept_then_timeout' })], '?sandbox=listed-after:50'],
    ['it answers 500 after it took the Pin', [fault({ kind: 'server_error', accepted: true })], ''],
    ['it answers 500 twice and took nothing', [fault({ kind: 'server_error', times: 2 })], ''],
    ['the access has expired', [fault({ kind: 'token_expired' })], ''],
    [
      'the access has expired and the renewal is lost',
      [fault({ kind: 'token_expired' }), fault({ call: 'refresh', kind: 'accept_then_timeout' })],
      '',
    ],
    ['it is over its rate limit', [fault({ kind: 'rate_limit' })], ''],
  ] as const) {
    for (const mediaType of ['image', 'video'] as const) {
      if (mediaType === 'video' && query !== '') continue
      await t.test(`when ${name}, then the ${mediaType} is live once and known as published`, async (t) => {
        const world = await givenWorld(t, given)
        const service = await givenProcess(world)
        const accountId = await world.account('pinterest')
        faults.forEach((each) => world.sandbox.faults.script(each))
        const file = mediaType === 'image' ? 'sample.jpg' : 'sample.mp4'
        const mediaUrl = `${world.sandbox.url}/media/${file}${query}`
        const id = await service.queue({
          selections: { pinterest: [accountId] },
          mediaType,
          mediaUrl,
          hashtags: ['one'],
        })
        await service.drain()
        const row = await findPost(world.db, id)
        const [live, ...others] = world.sandbox.ledger.posts('pinterest')
        t.same(others, [])
        t.match(live, { caption: 'A caption\n\n#one', mediaType })
        t.equal(row?.status, 'published')
        t.match(row?.results['pinterest'], [
          { accountId, ok: true, postId: live?.id, url: `https://www.pinterest.com/pin/${live?.id}/` },
        ])
        t.same(world.sandbox.faults.pending(), [])
      })
    }
  }

  await t.test('when it refuses the Pin, then that is final and says why', async (t) => {
    const world = await givenWorld(t, given)
    const service = await givenProcess(world)
    const accountId = await world.account('pinterest')
    world.sandbox.faults.script(fault({ kind: 'reject' }))
    const id = await service.queue({ selections: { pinterest: [accountId] } })
    await service.drain()
    const row = await findPost(world.db, id)
    t.match(row, { status: 'publish_failed', results: { pinterest: [{ ok: false, error: /community guidelines/ }] } })
    t.same(world.sandbox.ledger.posts('pinterest'), [])
  })

  await t.test(
    'when other Pins have the same text, then a lost response is distinguished from known Pins',
    async (t) => {
      const { world, accountId, publish, live } = await givenBoard(t)
      await publish()
      world.sandbox.faults.script(fault({ kind: 'accept_then_timeout' }))
      t.match(await publish(), [[{ ok: true, postId: live()[1]?.id }]], 'the first is known to be another')
      world.sandbox.faults.script(fault({ kind: 'server_error' }))
      t.match(await publish(), [[{ ok: true, postId: live()[2]?.id }]], 'what was not taken is none of them')
      t.equal(live().length, 3)

      const { accessToken = '', boardId } = (await vaultOf(world).find(accountId)) ?? {}
      const source = { source_type: 'image_url', url: `${world.sandbox.url}/media/sample.jpg` }
      const byHand = { board_id: boardId, title: 'A caption', description: 'A caption', media_source: source }
      const headers = { authorization: `Bearer ${accessToken}` }
      t.equal((await postJson(world.http, `${world.sandbox.url}/pinterest/v5/pins`, byHand, headers)).status, 201)
      world.sandbox.faults.script(fault({ kind: 'accept_then_timeout' }))
      t.match(await publish(), [[{ ok: false, outcome: 'unknown' }]], 'a Pin made by someone else looks the same')
      t.equal(live().length, 5)
    },
  )

  await t.test('when a response is lost, then a post with the same text waits until that is settled', async (t) => {
    const { world, publish, live } = await givenBoard(t, { slots: 1 })
    const began = world.clock.now()
    const secondsOf = (caption: string) =>
      live().flatMap((pin) => (pin.caption === caption ? [(Date.parse(pin.createdAt) - began) / 1000] : []))
    world.sandbox.faults.script(fault({ kind: 'accept_then_timeout', times: 2 }))
    const results = await publish({ caption: 'Same' }, { caption: 'Same' }, { caption: 'Same' })
    t.ok(results.flatMap((items) => items ?? []).every(({ ok }) => ok))
    t.same(secondsOf('Same'), [0, 120, 240])
    world.sandbox.faults.script(fault({ kind: 'accept_then_timeout' }))
    await publish({ caption: 'One' }, { caption: 'Another' })
    t.same(secondsOf('Another'), secondsOf('One'), 'a post with another text is published at once')
  })

  await t.test('when a worker dies amid its call, then what says the same waits, too', async (t) => {
    const { world, accountId, service, publish, live } = await givenBoard(t, { slots: 1 })
    const began = world.clock.now()
    const dead = await service.queue({ selections: { pinterest: [accountId] } })
    const told = { platform: 'pinterest', accountId, attempt: 1 }
    const handleOf = {
      since: isoTime(began),
      destination: { boardId: (await vaultOf(world).find(accountId))?.boardId },
    }
    await handle(world, post, dead, causedBy('dead'), () => [
      { type: 'PublishStarted' as const, data: told },
      { type: 'PublishPrepared' as const, data: { ...told, handle: handleOf } },
    ])
    t.match(await publish(), [[{ ok: true }]])
    t.match((await findPost(world.db, dead))?.results['pinterest'], [{ ok: true }])
    const events = await world.log.read(`post-${dead}`)
    t.match(events[3], { type: 'PublishAnswerLost', data: { lookAt: isoTime(began + 120_000) } })
    t.same([live().length, Math.min(...live().map(({ createdAt }) => Date.parse(createdAt))) - began], [2, 120_000])
  })

  await t.test(
    'when an answer is lost while another post is prepared, then that one waits once it is ready',
    async (t) => {
      const until = [undefined, 10_000]
      const { world, publish, live } = await givenBoard(t, { alike: { lostUntil: async () => soon(until.shift()) } })
      const began = world.clock.now()
      const soon = (ms?: number) => (ms === undefined ? undefined : world.clock.now() + ms)
      t.match(await publish(), [[{ ok: true }]])
      t.same(
        live().map(({ createdAt }) => Date.parse(createdAt) - began),
        [10_000],
      )
    },
  )

  await t.test("when another workspace publishes the same text, then neither takes the other's Pin", async (t) => {
    const { world, made, publish, live } = await givenBoard(t)
    const workspaceId = 'ws_other'
    const theirs = await world.connect('pinterest', made, workspaceId)
    await publish({ workspaceId, selections: { pinterest: [theirs] } })
    world.sandbox.faults.script(fault({ kind: 'accept_then_timeout' }))
    t.match(await publish(), [[{ ok: true, postId: live()[1]?.id }]])
    t.equal(live().length, 2)
  })

  await t.test(
    'when the read models are behind the log, then a lost answer is settled once they are not',
    async (t) => {
      const behind = [false, false, false]
      const { world, publish, live } = await givenBoard(t, { seen: { waitFor: async () => behind.pop() ?? true } })
      world.sandbox.faults.script(fault({ kind: 'accept_then_timeout' }))
      t.match(await publish(), [[{ ok: true, postId: live()[0]?.id }]])
      t.same([live().length, behind.length], [1, 0])
    },
  )

  await t.test("when several responses are lost at once, then none is matched to another's Pin", async (t) => {
    const { world, publish, live } = await givenBoard(t)
    // Of three alike the answers of two are lost: one was taken, one was not.
    world.sandbox.faults.script(fault({ kind: 'server_error' }))
    world.sandbox.faults.script(fault({ kind: 'accept_then_timeout' }))
    const results = (await publish({}, {}, {})).flatMap((items) => items ?? [])
    const told = results.flatMap((item) => (item.ok ? [item.postId] : []))
    t.equal(results.length, 3)
    t.ok(results.every((item) => item.ok || item.outcome === 'unknown'))
    t.equal(new Set(told).size, told.length, 'no Pin is that of two posts')
    t.same(
      told.filter((id) => !live().some((pin) => pin.id === id)),
      [],
    )
    t.ok(live().length <= 3, 'nothing was sent twice')
  })
})

t.test('given an answer that was lost and a Pin that says the same', async (t) => {
  const { world, accountId } = await givenBoard(t)
  const { db, log, clock, workspaceId } = world
  const began = clock.now()
  const at = (second: number) => isoTime(began + second * 1000)
  const projector = createProjector({ ...world, projections, logger: createLogger('silent') })
  /** Another post, whose call was made at a second, and what came of it so far. */
  const givenOther = async (caption: string, second: number, step: 'queued' | 'submitted' | 'lost' | 'unknown') => {
    const told = { platform: 'pinterest', accountId, attempt: 1 }
    const content = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', caption, captionOverrides: {} }
    const queued = { ...content, workspaceId, origin: 'api', hashtags: [], selections: { pinterest: [accountId] } }
    const error = 'nobody knows'
    const lost = { ...told, error, lookAt: at(second + 120), until: at(second + 120) }
    const submitted = [
      { type: 'PublishStarted', data: told },
      { type: 'PublishPrepared', data: { ...told, handle: {} } },
    ]
    const further = {
      queued: [],
      submitted,
      lost: [...submitted, { type: 'PublishAnswerLost', data: lost }],
      unknown: [...submitted, { type: 'AccountPublishFailed', data: { ...told, error, code: 'unknown' } }],
    }
    const events = [{ type: 'PostQueued', data: queued }, ...further[step]].map((event, index) => {
      const id = derivedId(caption, index)
      const metadata = { at: at(second), actor: { kind: 'cli', id }, correlationId: id, causationId: id } as const
      return { ...event, id, metadata }
    })
    await log.append(`post-post_${derivedUlid(caption)}`, events, -1)
  }
  await projector.catchUp()
  const { rows } = await db.query<{ external_id: string }>('select external_id from read.accounts')
  const known = lookAlikePosts({ db, log, clock, seen: { waitFor: async () => true } })
  const ours = {
    postId: 'post_ours',
    platform: pinterest,
    externalId: rows[0]?.external_id ?? '',
    mediaType: 'image' as const,
  }
  /** Of Pins that were made at these seconds, those that can be ours, whose call was made at second 0. */
  const ask = async (text: string, ...seconds: readonly number[]) => {
    await projector.catchUp()
    const listed = seconds.map((second) => ({ id: String(second), createdAt: began + second * 1000 }))
    const { ruledOut, doubt } = await known.others({ ...ours, text, queuedAt: at(0), submittedAt: at(0) })(listed)
    return { left: seconds.filter((second) => !ruledOut.has(String(second))), doubt }
  }

  await t.test('when the other was sent long after, then their times tell them apart', async (t) => {
    await givenOther('later', 300, 'submitted')
    t.same(await ask('later', 1, 301), { left: [1], doubt: 'none' })
  })

  await t.test('when hundreds of others wait before it, then the one that was lost is seen', async (t) => {
    for (let index = 0; index < 300; index++) await givenOther(`waits ${index}`, 0, 'queued')
    await givenOther('lost', 0, 'lost')
    await projector.catchUp()
    t.equal(await known.lostUntil({ ...ours, text: 'lost' }), began + 120_000)
    t.equal(await known.lostUntil({ ...ours, text: 'another text' }), undefined)
  })

  await t.test('when a read model is halted, then it may lack a post that says the same', async (t) => {
    t.match(await ask('halted', 1), { doubt: 'none' })
    await db.query("update read.checkpoints set halted = 'an event' where name = 'posts'")
    t.match(await ask('halted', 1), { left: [1], doubt: 'passing' })
    await db.query('update read.checkpoints set halted = null')
  })

  await t.test('when the other was sent about then, then there is doubt until its outcome must be known', async (t) => {
    await givenOther('alike', 30, 'submitted')
    t.same(await ask('alike', 1), { left: [1], doubt: 'passing' })
    t.same(await ask('another text', 1), { left: [1], doubt: 'none' })
    t.same(await ask('alike'), { left: [], doubt: 'none' }, 'where there is no Pin there is no doubt')
    await clock.advanceTo(began + 211_000)
    t.same(await ask('alike', 1), { left: [1], doubt: 'lasting' })
  })

  await t.test("when the other's outcome is unknown, then the doubt remains", async (t) => {
    await givenOther('unknown', 30, 'unknown')
    t.same(await ask('unknown', 1), { left: [1], doubt: 'lasting' })
  })

  await t.test(
    'when no Pin was made at a time that fits, then a clock may be wrong, and nothing is believed',
    async (t) => {
      t.same(await ask('nothing', 400, 900), { left: [400, 900], doubt: 'lasting' })
      await givenOther('later still', 390, 'submitted')
      t.same(await ask('later still', 400), { left: [400], doubt: 'passing' }, 'or it is that of another')
    },
  )
})

t.test('given a video on its way, when the process dies before or after any act, then it is live once', async (t) => {
  const world = await givenWorld(t, given)
  const accountId = await world.account('pinterest')
  const run = async (name: string, point?: { act: number; moment: 'before' | 'after' }) => {
    const command = {
      selections: { pinterest: [accountId] },
      mediaType: 'video' as const,
      mediaUrl: `${world.sandbox.url}/media/sample.mp4`,
      caption: name,
    }
    const id = await (await givenProcess(world)).queue(command)
    const fuse = fused(world, point)
    await (await givenProcess(world, { ...fuse, slots: 1 })).drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world, { slots: 1 })).drain()
    t.match(await findPost(world.db, id), { status: 'published' }, `${name}: settled`)
    const live = world.sandbox.ledger.posts('pinterest').filter(({ caption }) => caption === name)
    t.equal(live.length, 1, `${name}: live once`)
    return fuse.acts
  }
  const acts = await run('no crash')
  t.ok(acts.length >= 10, acts.join(', '))
  for (let act = 0; act < acts.length; act += 1) {
    for (const moment of ['before', 'after'] as const) await run(`${moment} ${act}, ${acts[act]}`, { act, moment })
  }
})

t.test('given the stand-in, then it refuses what Pinterest refuses', async (t) => {
  const { http, account, sandbox, live } = await givenScene(t)
  const url = `${sandbox.url}/pinterest/v5`
  const boardId = account.credentials['boardId'] ?? ''
  const bearer = { authorization: `Bearer ${account.credentials['accessToken']}` }
  const image = { source_type: 'image_url', url: `${sandbox.url}/media/sample.jpg` }
  const pin = { board_id: boardId, title: 'x', media_source: image }
  const register = async () =>
    (await postJson(http, `${url}/media`, { media_type: 'video' }, bearer)).json() as Registered
  const video = await register()
  const form = (fields: Record<string, string>, order: 'last' | 'first' = 'last') => {
    const data = new FormData()
    const file = new Blob([Buffer.from('film')], { type: 'video/mp4' })
    if (order === 'first') data.set('file', file)
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    if (order === 'last') data.set('file', file)
    return data
  }

  await t.test('when a Pin is wrong', async (t) => {
    const videoSource = { source_type: 'video_id', media_id: video.media_id, cover_image_key_frame_time: 0 }
    for (const [body, status, code, message] of [
      [{ ...pin, board_id: '1' }, 404, 40, /Board/],
      [{ ...pin, board_section_id: '1' }, 404, 2031, /section/],
      [{ ...pin, boardId }, 400, 1, /boardId/],
      [{ ...pin, title: 'x'.repeat(101) }, 400, 1, /title/],
      [{ ...pin, description: 'x'.repeat(801) }, 400, 1, /description/],
      [{ ...pin, link: 'x' }, 400, 1, /link/],
      [{ ...pin, media_source: { ...image, url: 'http://127.0.0.1:1/' } }, 400, 1, /Unable to reach the URL/],
      [{ ...pin, media_source: { ...videoSource, media_id: '5' } }, 404, 404, /Media/],
      [{ ...pin, media_source: videoSource }, 400, 1, /registered/],
      [{ ...pin, media_source: { ...videoSource, cover_image_key_frame_time: undefined } }, 400, 1, /cover_image_url/],
    ] as const) {
      const response = await postJson(http, `${url}/pins`, body, bearer)
      t.equal(response.status, status)
      t.match(response.json(), { code, message })
    }
    t.equal((await postJson(http, `${url}/pins`, pin)).status, 401)
    t.same(live(), [])
  })

  await t.test('when an upload is wrong', async (t) => {
    const { upload_url, upload_parameters: fields } = video
    const { key: _, ...keyless } = fields
    const post = (init: RequestInit) => fetch(upload_url, { method: 'POST', ...init })
    const chunks = new Blob(['film']).stream()
    for (const [name, init, status] of [
      [
        'no length',
        { body: chunks, duplex: 'half', headers: { 'content-type': 'multipart/form-data; boundary=x' } } as RequestInit,
        411,
      ],
      ['a token beside the form', { body: form(fields), headers: bearer }, 400],
      ['the file first', { body: form(fields, 'first') }, 400],
      ['a field missing', { body: form(keyless) }, 403],
      ['a field changed', { body: form({ ...fields, policy: 'x' }) }, 403],
      ['no form', { body: 'film' }, 400],
      ['all right', { body: form(fields) }, 204],
    ] as const) {
      const response = await post(init)
      t.equal(response.status, status, name)
      if (status !== 204) t.match(await response.text(), /<Code>\w+<\/Code>/)
    }
    t.match(sandbox.ledger.media('pinterest', video.media_id), { bytes: 4 })
  })

  await t.test('when a form is older than an hour', async (t) => {
    const scene = await givenScene(t)
    const headers = { authorization: `Bearer ${scene.account.credentials['accessToken']}` }
    const answer = await postJson(http, `${scene.sandbox.url}/pinterest/v5/media`, { media_type: 'video' }, headers)
    const { upload_url, upload_parameters } = answer.json() as Registered
    await scene.clock.advanceTo(scene.clock.now() + 3_600_000)
    t.equal((await fetch(upload_url, { method: 'POST', body: form(upload_parameters) })).status, 403)
  })

  await t.test('when a list is asked for wrongly, and gives pages', async (t) => {
    for (const query of ['page_size=0', 'page_size=251', 'page=2', 'bookmark=%7B']) {
      t.equal((await http.request(`${url}/pins?${query}`, { headers: bearer })).status, 400, query)
    }
    for (let count = 0; count < 3; count += 1) await postJson(http, `${url}/pins`, pin, bearer)
    t.equal(live().length, 3, 'the same Pin again is another Pin')
    const ids: string[] = []
    let bookmark: string | null = ''
    while (bookmark !== null) {
      const query: string = `page_size=2${bookmark && `&bookmark=${bookmark}`}`
      const page = (await http.request(`${url}/boards/${boardId}/pins?${query}`, { headers: bearer })).json() as Page
      ids.push(...page.items.map(({ id }) => id))
      bookmark = page.bookmark
    }
    t.same(
      ids,
      live()
        .map(({ id }) => id)
        .toReversed(),
    )
    t.equal((await http.request(`${url}/boards/1/pins`, { headers: bearer })).status, 404)
  })

  await t.test('when a refresh token was replaced and the newer pair has been used', async (t) => {
    const { clientId, clientSecret, refreshToken = '' } = account.credentials
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const refresh = (token: string, more = {}) =>
      fetch(`${url}/oauth/token`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, ...more }),
      })
    t.equal((await refresh(refreshToken, { redirect_uri: 'x' })).status, 400)
    t.equal((await refresh(refreshToken)).status, 200)
    const { access_token } = (await (await refresh(refreshToken)).json()) as { access_token: string }
    t.equal((await http.request(`${url}/user_account`, { headers: bearer })).status, 401, 'the old token is void')
    const headers = { authorization: `Bearer ${access_token}` }
    t.equal((await http.request(`${url}/user_account`, { headers })).status, 200)
    t.equal((await refresh(refreshToken)).status, 400)
  })
})

t.test('given a host of videos, then what it appends is skipped by the probe', async (t) => {
  const scene = await givenScene(t)
  const host = await videoHost(t)
  const want = { mediaType: 'video', maxBytes: 1_000_000_000 } as const
  const media = await scene.io.media.spool(`${host.url}/video?zeros=1000&end=sandbox=failed`, want, scene.io.signal)
  t.match(media.facts, { mimeType: 'video/mp4', width: 720, height: 1280, durationMs: Number })
  await media.dispose()
})

/** A service with one account, and what posts of one caption come to there. */
async function givenBoard(t: Test, parts: Parameters<typeof givenProcess>[1] = {}) {
  const world = await givenWorld(t, given)
  const service = await givenProcess(world, parts)
  const made = await givenAccount(world.http, world.sandbox, 'pinterest')
  const accountId = await world.connect('pinterest', made)
  const publish = async (...posts: readonly Partial<QueuePost>[]) => {
    const all = posts.length > 0 ? posts : [{}]
    const ids = await Promise.all(all.map((more) => service.queue({ selections: { pinterest: [accountId] }, ...more })))
    await service.drain()
    return Promise.all(ids.map(async (id) => (await findPost(world.db, id))?.results['pinterest']))
  }
  return { world, made, accountId, service, publish, live: () => world.sandbox.ledger.posts('pinterest') }
}

interface Registered {
  readonly media_id: string
  readonly upload_url: string
  readonly upload_parameters: Record<string, string>
}
interface Page {
  readonly items: readonly { readonly id: string }[]
  readonly bookmark: string | null
}
