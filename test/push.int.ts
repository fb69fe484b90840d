import t, { type Test } from 'tap'
import * as z from 'zod'
import { addChannel } from '../commands/channel.ts'
import { handle, load } from '../commands/handle.ts'
import { channel } from '../domain/notification/channel.ts'
import { TOPICS } from '../domain/notification/topic.ts'
import { START } from '../event-log/event-log.ts'
import { vapidKeys } from '../infra/runtime/vapid.ts'
import { givenApi } from './support/api.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { keysOf, newBrowser, pushService, vapidIn } from './support/push-service.ts'
import { ids } from './support/sandbox.ts'
import {
  causedBy,
  DERIVATION_SECRET,
  givenProcess,
  givenWorld,
  vaultOf,
  type Process,
  type World,
} from './support/world.ts'

/* Notifications in a browser. */

const OWN = '/dashboard/api/notification-channels'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const MINUTE = 60_000
const channelSchema = z.looseObject({ id: z.string(), kind: z.string(), address: z.string() })
const sentSchema = z.object({ notifications: z.array(z.looseObject({ status: z.string() })) })

/** A post that fails at once: its account does not exist. */
const failPost = (service: Process) => service.queue({ selections: { bluesky: ['acc_none'] } })
const nextWindow = ({ clock }: World) => clock.advanceTo((Math.floor(clock.now() / (15 * MINUTE)) + 1) * 15 * MINUTE)

async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const pushes = await pushService(t)
  const service = await givenProcess(world)
  await givenUser(api, 'ada', world.workspaceId, 'reader')
  const server: typeof api.call = ({ headers, ...call }) =>
    api.call({ ...call, headers: { 'user-agent': FIREFOX, ...headers } })
  const page = await signIn({ call: server }, 'ada')
  const subscription = { endpoint: `${pushes.url.replace('http:', 'https:')}/send/ada`, keys: keysOf(pushes.browser) }
  const add = async () => {
    const answer = await page.call({ method: 'POST', path: OWN, body: { kind: 'push', subscription } })
    t.equal(answer.status, 200, answer.text)
    const added = channelSchema.parse(answer.body)
    // Only endpoints with TLS are taken, and the push service here has none.
    await vaultOf(world).put(world.workspaceId, added.id, {
      ...{ endpoint: `${pushes.url}/send/ada` },
      ...subscription.keys,
    })
    return added
  }
  const sentTo = async (id: string) => {
    const { body } = await page.call({ path: `${OWN}/${id}/notifications` })
    return sentSchema.parse(body).notifications
  }
  return { api, world, pushes, service, page, subscription, add, sentTo }
}

t.test('given a user who has turned on notifications in a browser', async (t) => {
  const { api, world, pushes, service, page, subscription, add, sentTo } = await given(t)
  const { id, address } = await add()
  t.equal(address, 'Firefox on Linux')

  await t.test('when a post fails, then the browser gets it, once', async (t) => {
    await nextWindow(world)
    const postId = await failPost(service)
    await service.drain()
    t.equal(pushes.got.length, 1)
    const [pushed] = pushes.got
    t.equal(pushed?.path, '/send/ada')
    t.match(JSON.parse(pushed?.text ?? ''), {
      ...{ title: /^A post failed \(/, text: /^A post failed: / },
      ...{ link: `/posts/${postId}`, tag: 'post.failed' },
    })
    t.match(await sentTo(id), [{ status: 'sent', attempts: 1, lastError: null }])
  })

  await t.test('then the push service knows it by the key that the browser subscribed with', async (t) => {
    const { claims, key } = vapidIn(pushes.got[0]?.headers.authorization)
    t.match((await page.call({ path: '/dashboard/api/push-key' })).body, { publicKey: key })
    t.equal(key, vapidKeys(DERIVATION_SECRET).publicKey)
    t.match(claims, { aud: pushes.url, sub: 'mailto:fanfare@fanfare.test' })
  })

  await t.test('then nothing that is shown has its address or keys', async (t) => {
    const list = (await page.call({ path: OWN })).text
    for (const secret of [subscription.endpoint, ...Object.values(subscription.keys)]) t.notOk(list.includes(secret))
  })

  await t.test('then it is no channel of the workspace', async (t) => {
    const key = await api.key({ scopes: ['webhooks:read', 'webhooks:write'] })
    t.match((await api.call({ path: '/v1/notification-channels', key })).body, { channels: [] })
    const body = { kind: 'push', subscription }
    const answer = await api.call({ method: 'POST', path: '/v1/notification-channels', key, body })
    t.match(answer, { status: 400, message: /^kind must be one of email, slack, discord, telegram, ntfy$/ })
  })

  await t.test('when the subscription leads into a private network, then it is refused', async (t) => {
    const body = { kind: 'push', subscription: { ...subscription, endpoint: 'https://10.0.0.1/send' } }
    const answer = await page.call({ method: 'POST', path: OWN, body })
    t.match(answer, { status: 400, message: /^subscription\.endpoint cannot be called: / })
    const without = await page.call({ method: 'POST', path: OWN, body: { kind: 'push' } })
    t.match(without, { status: 400, message: /^subscription is required for kind push/ })
  })

  await t.test('when the push service is busy, broken or refuses, then it is as documented', async (t) => {
    const next = async (...answers: typeof pushes.next) => {
      await nextWindow(world)
      pushes.got.length = 0
      pushes.next.push(...answers)
      await failPost(service)
      await service.drain()
      return { got: pushes.got.length, ...(await sentTo(id))[0] }
    }
    const busy = { status: 429, headers: { 'retry-after': '120' } }
    t.match(await next(busy), { got: 1, status: 'sent', attempts: 2 })
    t.match(await next({ status: 503 }), { got: 1, status: 'sent', attempts: 2 })
    t.match(await next({ status: 413 }), { got: 0, status: 'failed', attempts: 1, lastError: 'HTTP 413' })
    t.match(await next({ status: 403 }), { got: 0, status: 'failed', attempts: 1, lastError: 'HTTP 403' })
    t.match(await next({ status: 500 }), { got: 0, status: 'unknown', attempts: 1 })
  })

  for (const status of [404, 410]) {
    await t.test(`when the subscription has ended (${status}), then the channel ends, and says why`, async (t) => {
      const { body } = await page.call({ path: OWN })
      const { channels } = z.object({ channels: z.array(channelSchema) }).parse(body)
      const { id } = channels[0] ?? (await add())
      await nextWindow(world)
      pushes.got.length = 0
      pushes.next.push({ status })
      await failPost(service)
      await service.drain()
      t.match((await page.call({ path: OWN })).body, { channels: [] })
      t.equal(await vaultOf(world).find(id), undefined)
      const { data } = (await readUntilCaughtUp(world.log, START, { categories: ['channel'] })).at(-1) ?? {}
      t.match(data, { reason: 'gone' })
      await nextWindow(world)
      await failPost(service)
      await service.drain()
      t.equal(pushes.got.length, 0)
    })
  }
})

t.test(
  'given a browser that is gone, when a process dies at any step, then its channel ends all the same',
  async (t) => {
    const world = await givenWorld(t)
    const pushes = await pushService(t)
    const run = async (point?: CrashPoint) => {
      await nextWindow(world)
      const id = await givenBrowser(world, pushes)
      pushes.next.push({ status: 410 }, { status: 410 })
      const parts = fused(world, point)
      const first = await givenProcess(world, { ...parts })
      await failPost(await givenProcess(world))
      await first.drain().catch((error: unknown) => {
        if (!parts.dead()) throw error
      })
      const second = await givenProcess(world)
      await world.clock.advanceTo(world.clock.now() + 2 * MINUTE)
      await second.drain()
      // If it died in between, it is the next message that finds the browser gone.
      await nextWindow(world)
      await failPost(second)
      await second.drain()
      const at = point ? `${point.moment} ${parts.acts[point.act]}` : 'without a crash'
      t.equal((await load(world.log, channel, id)).status, 'removed', at)
      t.equal(await vaultOf(world).find(id), undefined, at)
      pushes.next.length = 0
      return parts.acts
    }
    const acts = await run()
    t.ok(acts.length >= 5)
    for (let act = 0; act < acts.length; act += 1) {
      for (const moment of ['before', 'after'] as const) await run({ act, moment })
    }
    t.equal(pushes.got.length, 0)
  },
)

async function givenBrowser(world: World, { url, browser = newBrowser() }: Awaited<ReturnType<typeof pushService>>) {
  const id = `chn_${ids.ulid()}`
  await vaultOf(world).put(world.workspaceId, id, { endpoint: `${url}/send`, ...keysOf(browser) })
  const settings = { label: '', topics: [...TOPICS], timezone: 'UTC', quietHours: null, digestAt: null }
  const added = { workspaceId: world.workspaceId, kind: 'push', address: 'a', needsConfirmation: false } as const
  await handle(world, channel, id, causedBy(id), (state) => addChannel(state, { ...added, ...settings }))
  return id
}
