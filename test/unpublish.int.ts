import t, { type Test } from 'tap'
import { releaseRestored, restoreStatus } from '../app/cli/restore/restored.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { handle } from '../commands/handle.ts'
import { unpublishPost } from '../commands/unpublish.ts'
import { account as accountKind } from '../domain/account/account.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import { post, type PostState } from '../domain/post/post.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { findPost } from '../projections/models/posts.ts'
import { givenApi } from './support/api.ts'
import { tokenOf } from './support/instagram.ts'
import { keptLog, searchAll } from './support/restore.ts'
import { givenAccount } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld } from './support/world.ts'

async function given(t: Test) {
  const api = await givenApi(t, { services: { refuseDuplicates: ['mcp', 'dashboard'] } })
  const { world } = api
  const key = await api.key()
  const service = await givenProcess(world, { metrics: true })
  const call = (method: string, path: string, body?: object) => api.call({ method, path: `/v1${path}`, key, body })
  const mediaOn = (platform: PlatformKey) => {
    const mediaType = world.platforms[platform].takes.image ? 'image' : 'video'
    return {
      mediaType,
      mediaUrl: `${world.sandbox.url}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}`,
    } as const
  }
  const publish = async (platform: PlatformKey, ...accounts: readonly string[]) => {
    const selections = { [platform]: [...accounts] }
    const id = await service.queue({ selections, ...mediaOn(platform), caption: `Bread ${accounts.join()}` })
    await service.drain()
    return id
  }
  const unpublish = (id: string, accounts?: readonly string[]) =>
    call('POST', `/posts/${id}/unpublish`, accounts && { accounts })
  /** The only result on a platform. */
  const result = async (id: string, platform: PlatformKey, place = 0) => {
    const { body } = await call('GET', `/posts/${id}`)
    const { publishResults } = body as { publishResults: Record<string, { unpublish?: object; url?: string }[]> }
    return publishResults[platform]?.[place]
  }
  const events = async (id: string) => {
    const { body } = await call('GET', `/posts/${id}/events?limit=100`)
    const { events } = body as { events: readonly { type: string; summary: string }[] }
    return events.filter(({ type }) => /unpublish/i.test(type))
  }
  const fault = (script: Partial<FaultScript> & Pick<FaultScript, 'platform' | 'kind'>) =>
    world.sandbox.faults.script({
      ...{ call: 'delete', times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false },
      ...script,
    })
  return { api, world, service, call, mediaOn, publish, unpublish, result, events, fault }
}

t.test('given a post on each platform', async (t) => {
  const { world, service, call, publish, unpublish, result, events } = await given(t)
  const accounts = new Map<PlatformKey, string>()
  for (const platform of PLATFORM_KEYS) accounts.set(platform, await world.account(platform))
  const cannot: Partial<Record<PlatformKey, RegExp>> = {
    tiktok: /^TikTok does not let apps delete posts\. Delete it on TikTok yourself: https:/,
    // Connected with Instagram.
    instagram: /^Instagram lets apps delete posts only of accounts that are connected with Facebook\. Delete it on/,
  }
  for (const platform of PLATFORM_KEYS) {
    await t.test(`when one on ${platform} is unpublished, then it is gone, or the result says why not`, async (t) => {
      const id = await publish(platform, accounts.get(platform) ?? '')
      const asked = await unpublish(id)
      t.match(asked, { status: 200, body: { id, status: 'published' } })
      const status = platform === 'tiktok' ? 'unsupported' : 'in_progress'
      t.match(await result(id, platform), { ok: true, unpublish: { status, at: String } })
      await service.drain()
      const error = cannot[platform]
      t.match(await result(id, platform), {
        ok: true,
        unpublish: error ? { status: 'unsupported', error } : { status: 'unpublished', error: undefined },
      })
      t.equal(world.sandbox.ledger.posts(platform).length, error ? 1 : 0)
      t.match((await call('GET', `/posts/${id}`)).body, { status: 'published', summary: { succeeded: 1 } })
      for (const { summary } of await events(id)) t.match(summary, /delet/i)
    })

    if (cannot[platform]) continue
    await t.test(`when a person has deleted one on ${platform} before, then that is what was asked for`, async (t) => {
      const id = await publish(platform, accounts.get(platform) ?? '')
      for (const { id: postId } of world.sandbox.ledger.posts(platform)) {
        world.sandbox.ledger.removePost(platform, postId)
      }
      await unpublish(id)
      await service.drain()
      t.match(await result(id, platform), { unpublish: { status: 'unpublished' } })
      const before = await events(id)
      t.match(await unpublish(id), { status: 200 })
      await service.drain()
      t.same(await events(id), before, 'asked again, nothing happens')
    })
  }
})

t.test('given a post on two accounts', async (t) => {
  const { world, service, publish, unpublish, result, call, api, mediaOn } = await given(t)
  const [one, other] = [await world.account('bluesky'), await world.account('bluesky')]
  const id = await publish('bluesky', one, other)

  await t.test('when it is unpublished on one of them, then it stays on the other', async (t) => {
    await unpublish(id, [one])
    await service.drain()
    t.match(await result(id, 'bluesky'), { accountId: one, unpublish: { status: 'unpublished' } })
    t.match(await result(id, 'bluesky', 1), { accountId: other, unpublish: undefined })
    t.equal(world.sandbox.ledger.posts('bluesky').length, 1)
  })

  await t.test('when an account is not one of the post, then it is refused', async (t) => {
    t.match(await unpublish(id, ['acc_none']), { status: 400, code: 'invalid_request', message: /acc_none/ })
    t.match(await unpublish(id, []), { status: 400, code: 'invalid_request' })
  })

  await t.test('when it is still being published, then it is refused', async (t) => {
    const queued = await call('POST', '/posts', { selections: { bluesky: [one] }, ...mediaOn('bluesky') })
    const message = /still being published on the account acc_/
    t.match(await unpublish(String(queued.body['id'])), { status: 409, code: 'failed_precondition', message })
    await service.drain()
  })

  await t.test('when it was not published, then it is refused', async (t) => {
    const failed = await service.queue({ selections: { bluesky: ['acc_none'] }, ...mediaOn('bluesky') })
    await service.drain()
    const message = 'This post is not published on any account.'
    t.match(await unpublish(failed), { status: 409, code: 'failed_precondition', message })
    t.match(await unpublish(failed, ['acc_none']), { status: 409, message: /on the account acc_none/ })
  })

  await t.test('when a key may not write posts, then it is refused', async (t) => {
    const key = await api.key({ scopes: ['posts:read'] })
    t.match(await api.call({ method: 'POST', path: `/v1/posts/${id}/unpublish`, key }), { status: 403 })
    t.match(await call('POST', '/posts/post_none/unpublish'), { status: 404 })
  })
})

t.test('given a platform that fails', async (t) => {
  const { world, service, publish, unpublish, result, events, fault } = await given(t)
  const types = async (id: string) => (await events(id)).map(({ type }) => type)

  await t.test('when the response is lost, then it is asked again and finds the post gone', async (t) => {
    const id = await publish('facebook', await world.account('facebook'))
    fault({ platform: 'facebook', kind: 'accept_then_timeout' })
    await unpublish(id)
    await service.step()
    t.match(await result(id, 'facebook'), {
      unpublish: { status: 'in_progress', error: String, nextAttemptAt: String },
    })
    await service.drain()
    t.match(await result(id, 'facebook'), { unpublish: { status: 'unpublished', error: undefined } })
    const again = ['UnpublishStarted', 'UnpublishDeferred', 'UnpublishStarted', 'AccountUnpublished']
    t.same(await types(id), ['UnpublishRequested', ...again])
  })

  await t.test('when it fails every time, then it is given up, and can be asked for again', async (t) => {
    const id = await publish('x', await world.account('x'))
    fault({ platform: 'x', kind: 'server_error', times: 5 })
    await unpublish(id)
    await service.drain()
    t.match(await result(id, 'x'), { ok: true, unpublish: { status: 'failed', error: String } })
    t.equal((await types(id)).filter((type) => type === 'UnpublishStarted').length, 5)
    await unpublish(id)
    await service.drain()
    t.match(await result(id, 'x'), { unpublish: { status: 'unpublished' } })
  })

  await t.test(
    'when the access has expired, then it fails with the reason, and the account has to be reconnected',
    async (t) => {
      const account = await world.account('threads')
      const id = await publish('threads', account)
      fault({ platform: 'threads', kind: 'token_expired' })
      await unpublish(id)
      await service.drain()
      t.match(await result(id, 'threads'), { unpublish: { status: 'failed', error: /Connect the account again/ } })
      await unpublish(id)
      await service.drain()
      t.equal((await types(id)).filter((type) => type === 'UnpublishFailed').length, 2, 'without asking the platform')
    },
  )

  await t.test('when the account is disconnected, then it fails', async (t) => {
    const account = await world.account('x')
    const id = await publish('x', account)
    await handle(world, accountKind, account, causedBy(`disconnect ${account}`), disconnectAccount)
    await unpublish(id)
    await service.drain()
    t.match(await result(id, 'x'), { unpublish: { status: 'failed', error: /disconnected/ } })
  })
})

t.test('given a post that was unpublished', async (t) => {
  const { world, service, call, publish, unpublish, mediaOn } = await given(t)
  const account = await world.account('x')
  const id = await publish('x', account)
  t.match(await call('POST', '/recycling-rules', { sourcePostId: id, intervalDays: 1 }), { status: 200 })
  await world.clock.advanceTo(world.clock.now() + 2 * 3_600_000)
  await service.step()
  t.match((await call('GET', `/posts/${id}/analytics?platform=x`)).body, { metrics: { likes: Number } })
  await unpublish(id)
  await service.step()
  await service.step()

  await t.test('then the same can be posted again', async (t) => {
    const body = { ...mediaOn('x'), caption: `Bread ${account}`, selections: { x: [account] }, allowDuplicate: false }
    t.match(await call('POST', '/posts', body), { status: 202 })
  })

  await t.test('then its metrics are not read any more, and those that were read stay', async (t) => {
    const { rows } = await world.db.query(`select due_at from read.post_metrics where post_id = $1`, [id])
    t.same(rows, [{ due_at: null }])
    t.match((await call('GET', `/posts/${id}/analytics?platform=x`)).body, {
      accounts: [{ accountId: account, metrics: { likes: Number }, error: 'The post was unpublished.' }],
    })
  })

  await t.test('then it is not recycled', async (t) => {
    const message = /^sourcePostId must be the id of a published post; this one was unpublished/
    t.match(await call('POST', '/recycling-rules', { sourcePostId: id, intervalDays: 1 }), { status: 400, message })
    // The check after it may be six hours later.
    await world.clock.advanceTo(world.clock.now() + 31 * 3_600_000)
    while ((await service.step()) > 0);
    t.match((await call('GET', '/recycling-rules')).body, {
      rules: [{ recycleCount: 0, lastError: /no longer published; it was deleted from every account/ }],
    })
  })
})

t.test(
  'given a log that is restored to when a post was being unpublished, then that goes on after the release',
  async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world)
    const id = await service.queue({ selections: { bluesky: [await world.account('bluesky')] } })
    await service.drain()
    const request = (state: PostState) => unpublishPost(state, undefined, () => true)
    await handle(world, post, id, causedBy('unpublish'), request)
    const kept = await keptLog(t, world)
    await service.drain()
    t.equal(world.sandbox.ledger.posts('bluesky').length, 0)

    const restored = await kept.restoreTo(kept.positions.at(-1) ?? 0n)
    const held = await givenProcess(restored)
    await searchAll(restored, held)
    t.match((await restoreStatus(held.core)).waiting, [{ id, outcome: 'absent', reason: /being unpublished/ }])
    t.match(await releaseRestored(held.core, {}), { released: true })
    await held.drain()
    t.match((await findPost(world.db, id))?.results, { bluesky: [{ unpublish: { status: 'unpublished' } }] })
  },
)

for (const platform of ['instagram', 'threads'] as const) {
  t.test(`given an account on ${platform} that may delete`, async (t) => {
    const { world, service, publish, unpublish, result } = await given(t)
    const made = await givenAccount(world.http, world.sandbox, platform)
    const { credentials } = made
    const own = platform === 'threads' ? credentials : tokenOf(made, 'facebook')
    const account = await world.connect(platform, { ...made, credentials: own })

    await t.test('when its post is unpublished, then it is gone', async (t) => {
      const id = await publish(platform, account)
      await unpublish(id)
      await service.drain()
      t.match(await result(id, platform), { unpublish: { status: 'unpublished' } })
      t.equal(world.sandbox.ledger.posts(platform).length, 0)
    })

    await t.test('when it is unknown which of its posts it is, then nothing is deleted', async (t) => {
      await publish(platform, account)
      const [live] = world.sandbox.ledger.posts(platform)
      // As after a lost response that may be any of several posts: the container's id, and no URL.
      const of = { id: account, platform, externalId: made.externalId, baseUrl: made.baseUrl }
      const { access } = service.core
      const deletion = access.run(of, 10_000, new AbortController().signal, async (io) =>
        access.platform(platform).unpublish?.(of, { postId: live?.token ?? '' }, io),
      )
      await t.rejects(deletion, { message: /did not say which post of the account this is\.$/ })
      t.equal(world.sandbox.ledger.posts(platform).length, 1)
    })
  })
}
