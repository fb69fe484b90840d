import t, { type Test } from 'tap'
import * as z from 'zod'
import type { Http } from '../infra/http/http.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { connectionStringOf, givenApi } from './support/api.ts'
import { rawServer, until } from './support/outbound-servers.ts'
import { givenServing } from './support/service-process.ts'
import { givenProcess } from './support/world.ts'

const aPost = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: ['acc_none'] } }
const listSchema = z.object({ posts: z.array(z.object({ id: z.string() })) })

t.test('given projections in a process of their own', async (t) => {
  const api = await givenApi(t, { projecting: false })
  const key = await api.key()
  const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
  await givenServing(t, { DATABASE_URL: connectionStringOf(api.world.db), ENCRYPTION_KEY }, 'projections')

  await t.test('when a post is queued 100 times, then it is shown at once, each time', async (t) => {
    const shown = { one: 0, list: 0 }
    for (let i = 0; i < 100; i += 1) {
      const { status, body } = await api.call({
        method: 'POST',
        path: '/v1/posts',
        key,
        body: { ...aPost, caption: `${i}` },
      })
      t.equal(status, 202)
      const id = String(body['id'])
      const [one, list] = await Promise.all([
        api.call({ path: `/v1/posts/${id}`, key }),
        api.call({ path: '/v1/posts?limit=1', key }),
      ])
      if (one.status === 200 && one.body['caption'] === `${i}`) shown.one += 1
      if (listSchema.parse(list.body).posts[0]?.id === id) shown.list += 1
    }
    t.same(shown, { one: 100, list: 100 })
  })

  await t.test('when 40 are queued at once, then each is shown at once', async (t) => {
    const shown = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { body } = await api.call({ method: 'POST', path: '/v1/posts', key, body: aPost })
        return (await api.call({ path: `/v1/posts/${String(body['id'])}`, key })).status
      }),
    )
    t.ok(shown.every((status) => status === 200))
  })
})

t.test('given projections that are down', async (t) => {
  const api = await givenApi(t, { projecting: false })
  const key = await api.key()

  await t.test('when a post is queued, then it is taken after a short wait, and shown once they run', async (t) => {
    const started = performance.now()
    const { status, body } = await api.call({ method: 'POST', path: '/v1/posts', key, body: aPost })
    const ms = performance.now() - started
    t.equal(status, 202)
    t.ok(ms >= 400 && ms < 5_000, `after ${ms} ms`)
    const shown = { path: `/v1/posts/${String(body['id'])}`, key }
    t.equal((await api.call(shown)).status, 404)
    api.startProjector()
    while ((await api.call(shown)).status !== 200) await api.world.clock.sleep(20)
    t.match((await api.call(shown)).body, { status: 'processing' })
  })
})

t.test('given POST /posts', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const mine = await api.world.account('facebook')
  const theirs = await api.world.account('facebook', 'ws_other')
  const service = await givenProcess(api.world)
  const mediaUrl = `${api.world.sandbox.url}/media/sample.jpg`

  /** Queues it, lets the service work, and shows what became of it. */
  const settled = async (t: Test, body: object) => {
    const queued = await api.call({
      method: 'POST',
      path: '/v1/posts',
      key,
      body: { mediaUrl, mediaType: 'image', ...body },
    })
    t.equal(queued.status, 202)
    t.match(queued.body, { runId: /^post_[0-9A-Z]{26}$/, id: queued.body['runId'], queued: true })
    const path = `/v1/posts/${String(queued.body['runId'])}`
    t.match((await api.call({ path, key })).body, { caption: String, summary: { succeeded: 0 } })
    await service.drain()
    return (await api.call({ path, key })).body
  }

  await t.test('when everything is given, then everything is published', async (t) => {
    const shown = await settled(t, {
      selections: { facebook: [mine] },
      caption: 'Shared',
      captionOverrides: { facebook: 'Own' },
      hashtags: ['one', '#two'],
      firstComment: 'First!',
      somethingNew: { from: 'a later version' },
    })
    t.match(shown, {
      status: 'published',
      caption: 'Shared',
      origin: 'api',
      publishResults: { facebook: [{ accountId: mine, ok: true, postId: String, firstComment: { ok: true } }] },
    })
    t.equal(Object.hasOwn(shown, 'somethingNew'), false)
    t.match(api.world.sandbox.ledger.posts('facebook').at(-1), { caption: 'Own\n\n#one #two' })
  })

  await t.test(
    'when platforms are misspelled, unsupported or without an account, then they are failure items',
    async (t) => {
      const shown = await settled(t, {
        selections: { facebook: [mine, mine], facebok: ['acc_1'], myspace: [mine], tiktok: [], x: [mine] },
      })
      t.match(shown, { status: 'published', summary: { succeeded: 1, failed: 4, pending: 0 } })
      t.match(shown['publishResults'], {
        facebook: [{ accountId: mine, ok: true }],
        facebok: [{ ok: false, error: /^No connected account was found for platform facebok/ }],
        myspace: [{ ok: false, error: /^No connected account was found for platform myspace/ }],
        tiktok: [{ ok: false, error: /^No connected account was found for platform tiktok/ }],
        x: [{ accountId: mine, ok: false, error: /^No connected account was found for platform x/ }],
      })
    },
  )

  await t.test('when an account is another workspace’s, then it is as one that is not there', async (t) => {
    const shown = await settled(t, { selections: { facebook: [theirs] } })
    const absent = await settled(t, { selections: { facebook: ['acc_00000000000000000000000000'] } })
    const text = JSON.stringify(shown['publishResults']).replaceAll(theirs, 'ID')
    t.equal(text, JSON.stringify(absent['publishResults']).replaceAll('acc_00000000000000000000000000', 'ID'))
    t.equal(shown['status'], 'publish_failed')
  })

  await t.test('when nothing but unknown platforms is selected, then it has failed at once', async (t) => {
    const { body } = await api.call({
      method: 'POST',
      path: '/v1/posts',
      key,
      body: { ...aPost, selections: { nonsense: ['a'] } },
    })
    t.match((await api.call({ path: `/v1/posts/${String(body['id'])}`, key })).body, { status: 'publish_failed' })
  })
})

t.test('given POST /posts/{id}/retry', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const theirs = await api.key({ workspaceId: 'ws_other' })
  const account = await api.world.account('x')
  const second = await api.world.account('x')
  const service = await givenProcess(api.world)
  const { sandbox } = api.world
  const live = () => sandbox.ledger.posts('x').length

  const fault = (kind: FaultScript['kind'], times = 1) =>
    sandbox.faults.script({
      platform: 'x',
      call: 'publish',
      kind,
      times,
      delayMs: 0,
      retryAfterSeconds: 1,
      accepted: false,
    })
  const queue = async (selections: object) => {
    const body = { ...aPost, mediaUrl: `${sandbox.url}/media/sample.jpg`, selections }
    return String((await api.call({ method: 'POST', path: '/v1/posts', key, body })).body['id'])
  }
  const retry = (id: string, platform: unknown = 'x', as = key) =>
    api.call({ method: 'POST', path: `/v1/posts/${id}/retry`, key: as, body: { platform } })
  const shown = async (id: string) => (await api.call({ path: `/v1/posts/${id}`, key })).body

  await t.test('when one of two accounts was refused, then that one alone is tried again', async (t) => {
    const before = live()
    fault('reject')
    const id = await queue({ x: [account, second], nonsense: ['a'] })
    const early = await retry(id)
    t.same([early.status, early.code], [409, 'failed_precondition'], 'not while it still runs')
    await service.drain()
    t.equal(live(), before + 1)
    t.match(await shown(id), { status: 'published' }, 'one account is enough')

    for (const [name, answer, status, code] of [
      ['a platform it was not queued for', await retry(id, 'facebook'), 400, 'invalid_request'],
      ['no platform', await retry(id, ''), 400, 'invalid_request'],
      ['a platform that every object has', await retry(id, 'constructor'), 400, 'invalid_request'],
      ['a platform without an account', await retry(id, 'nonsense'), 409, 'failed_precondition'],
      ['another workspace', await retry(id, 'x', theirs), 403, 'forbidden'],
      ['another workspace, a platform it was not queued for', await retry(id, 'facebook', theirs), 403, 'forbidden'],
      ['a post that is not there', await retry('post_none'), 404, 'not_found'],
    ] as const) {
      t.same([answer.status, answer.code], [status, code], name)
    }

    const again = await retry(id)
    t.equal(again.status, 200)
    t.match(again.body, { id, status: 'processing', publishResults: { x: [{ ok: true }] } })
    t.equal((await retry(id)).status, 409, 'it runs')
    await service.drain()
    t.match(await shown(id), {
      status: 'published',
      publishResults: {
        x: [
          { accountId: account, ok: true },
          { accountId: second, ok: true },
        ],
      },
    })
    t.equal(live(), before + 2)
    t.equal((await retry(id)).status, 409, 'no account has failed now')
  })

  await t.test('when a post is duplicated where it failed, then the new one is for those accounts alone', async (t) => {
    const duplicate = (id: string, body: object, as = key) =>
      api.call({ method: 'POST', path: `/v1/posts/${id}/duplicate`, key: as, body })
    fault('reject')
    const id = await queue({ x: [account, second] })
    t.match(await duplicate(id, { accounts: 'failed' }), { status: 409, message: /has not failed on any account/ })
    await service.drain()
    t.match(await shown(id), { status: 'published', summary: { succeeded: 1, failed: 1, pending: 0 } })
    const failed = z
      .object({ publishResults: z.object({ x: z.array(z.object({ ok: z.boolean(), accountId: z.string() })) }) })
      .parse(await shown(id))
      .publishResults.x.filter(({ ok }) => !ok)
      .map(({ accountId }) => accountId)

    const made = await duplicate(id, { accounts: 'failed', caption: 'Shorter' })
    t.match(made, { status: 202, body: { id: /^post_/, duplicateOf: id } })
    await service.drain()
    const copy = { status: 'published', caption: 'Shorter', selections: { x: failed } }
    t.match(await shown(String(made.body['id'])), { ...copy, summary: { succeeded: 1, failed: 0, pending: 0 } })

    const scheduledFor = '2099-01-01T09:00:00.000Z'
    const later = await duplicate(id, { accounts: [account], scheduledFor })
    t.match(later, { status: 202, body: { duplicateOf: id, scheduledAtUtc: scheduledFor } })
    const scheduled = await api.call({ path: `/v1/scheduled-posts/${String(later.body['id'])}`, key })
    t.match(scheduled.body, { status: 'pending', selections: { x: [account] }, scheduledAtUtc: scheduledFor })

    const whole = await duplicate(String(later.body['id']), { selections: { bluesky: ['acc_none'] } })
    t.match(
      await shown(String(whole.body['id'])),
      { selections: { bluesky: ['acc_none'] } },
      'also of a scheduled post',
    )
    const before = live()
    const kept = await duplicate(id, { accounts: 'failed', asDraft: true })
    t.match(kept, { status: 202, body: { id: /^draft_/, duplicateOf: id } })
    const draft = await api.call({ path: `/v1/drafts/${String(kept.body['id'])}`, key })
    t.match(draft, { status: 200, body: { selections: { x: failed }, visibility: 'workspace' } })
    await service.drain()
    t.equal(live(), before, 'nothing is published')
    for (const [body, status, message] of [
      [{ accounts: ['acc_other'] }, 400, /^accounts: the post is not for the account acc_other/],
      [{ accounts: [] }, 400, /^accounts/],
      [{ accounts: 'failed', selections: { x: [account] } }, 400, /not both/],
      [{ asDraft: true, scheduledFor }, 400, /not both/],
      [{ scheduledFor: '2020-01-01T00:00:00Z' }, 400, /^scheduledFor must be in the future/],
    ] as const) {
      t.match(await duplicate(id, body), { status, message }, JSON.stringify(body))
    }
    t.match(await duplicate(id, {}, theirs), { status: 403, code: 'forbidden' })
    t.match(await duplicate('post_none', {}), { status: 404 })
  })

  await t.test('when the outcome is unknown, then a retry looks for the post before it sends anything', async (t) => {
    const before = live()
    const { http } = api.world
    const blind: Http = {
      ...http,
      request: (url, request) => http.request(url.replace(/\/users\/\d+\/tweets.*/, '/none'), request),
    }
    const blinded = await givenProcess(api.world, { http: blind })
    fault('accept_then_timeout')
    const id = await queue({ x: [account] })
    await blinded.drain()
    t.match(await shown(id), {
      status: 'publish_failed',
      publishResults: { x: [{ accountId: account, ok: false, outcome: 'unknown', error: /outcome is unknown/ }] },
    })
    t.equal(live(), before + 1)
    const again = await retry(id)
    t.match(again, { status: 200, body: { status: 'processing', publishResults: { x: [] } } })
    await service.drain()
    t.match(await shown(id), { status: 'published', publishResults: { x: [{ accountId: account, ok: true }] } })
    t.equal(live(), before + 1, 'it was found')
  })

  await t.test('when the outcome is unknown, and the post is not there, then a retry sends it', async (t) => {
    const before = live()
    const { http } = api.world
    const blinded = await givenProcess(api.world, {
      http: {
        ...http,
        request: (url, request) => http.request(url.replace(/\/users\/\d+\/tweets.*/, '/none'), request),
      },
    })
    fault('server_error')
    const id = await queue({ x: [account] })
    await blinded.drain()
    t.match(await shown(id), { publishResults: { x: [{ ok: false, outcome: 'unknown' }] } })
    t.equal((await retry(id)).status, 200)
    await service.drain()
    t.match(await shown(id), { status: 'published', publishResults: { x: [{ ok: true }] } })
    t.equal(live(), before + 1)
  })

  await t.test('when it fails again, then it may be tried again', async (t) => {
    fault('reject', 2)
    const id = await queue({ x: [account] })
    await service.drain()
    t.match(await shown(id), { status: 'publish_failed' })
    t.equal((await retry(id)).status, 200)
    await service.drain()
    t.match(await shown(id), { status: 'publish_failed', publishResults: { x: [{ ok: false }] } })
    t.equal((await retry(id)).status, 200)
    await service.drain()
    t.match(await shown(id), { status: 'published', publishResults: { x: [{ ok: true }] } })
  })
})

t.test('given POST /posts/preview', async (t) => {
  const api = await givenApi(t)
  const { world } = api
  const key = await api.key()
  const [bluesky, instagram, theirs] = [
    await world.account('bluesky'),
    await world.account('instagram'),
    await world.account('bluesky', 'ws_other'),
  ]
  const preview = (body: object) => api.call({ method: 'POST', path: '/v1/posts/preview', key, body })
  const body = {
    mediaUrl: `${world.sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    caption: 'Hello',
    captionOverrides: { bluesky: 'x'.repeat(295) },
    hashtags: ['fanfare'],
    selections: { bluesky: [bluesky, theirs], instagram: [instagram], nowhere: ['a'] },
  }

  await t.test('when a post is previewed, then each account shows text, media, token and broken rules', async (t) => {
    const { status, body: answer } = await preview(body)
    t.equal(status, 200)
    t.match(answer, {
      previews: [
        {
          platform: 'bluesky',
          accountId: bluesky,
          caption: `${'x'.repeat(295)}\n\n#fanfare`,
          media: { mimeType: 'image/jpeg', width: 1080, height: 1080 },
          token: { status: 'ready' },
          problems: [/it has 305 characters, the limit is 300/],
        },
        { platform: 'bluesky', accountId: theirs, problems: [/^No connected account was found for platform bluesky/] },
        { platform: 'instagram', accountId: instagram, caption: 'Hello\n\n#fanfare', problems: [] },
        { platform: 'nowhere', problems: ['No connected account was found for platform nowhere.'] },
      ],
    })
    t.same(world.sandbox.ledger.posts('bluesky'), [])
    t.equal((await world.db.query(`select 1 from log.events where type = 'PostQueued'`)).rows.length, 0)
  })

  await t.test('when the media is not what was asked for, or is nowhere, then that is a problem', async (t) => {
    const selections = { instagram: [instagram] }
    t.match((await preview({ ...body, mediaType: 'video', selections })).body, {
      previews: [{ problems: [/the media is an image/] }],
    })
    const nowhere = `${world.sandbox.url}/media/none.jpg`
    t.match((await preview({ ...body, mediaUrl: nowhere, selections })).body, {
      previews: [{ problems: [/the media's host returned HTTP 404/] }],
    })
  })

  await t.test('when a workspace previews media that never arrive, then others preview theirs', async (t) => {
    const silent = await rawServer(t, () => undefined)
    const hanging = { ...body, mediaUrl: silent.url, selections: { instagram: [instagram] } }
    const attack = Array.from({ length: 12 }, () => preview(hanging))
    await until(() => silent.open() === 12)
    const refused = await preview(hanging)
    t.equal(refused.status, 429)
    t.match(refused.body, { error: { code: 'rate_limit_exceeded', message: /Retry in 5 seconds/ } })
    t.equal(refused.headers['retry-after'], '5')
    const other = await api.call({
      method: 'POST',
      path: '/v1/posts/preview',
      key: await api.key({ workspaceId: 'ws_other' }),
      body: { ...body, selections: { bluesky: [theirs] } },
    })
    t.match(other, { status: 200, body: { previews: [{ media: { mimeType: 'image/jpeg' } }] } })
    silent.dropAll()
    for (const { status } of await Promise.all(attack)) t.equal(status, 200)
  })
})
