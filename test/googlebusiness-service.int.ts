import t from 'tap'
import { googlebusiness } from '../platforms/googlebusiness/index.ts'
import { findPost } from '../projections/models/posts.ts'
import { googlebusinessStandIn } from '../packages/sandbox/googlebusiness.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { fault } from './support/googlebusiness.ts'
import { givenProcess, givenWorld } from './support/world.ts'

const given = { platforms: { googlebusiness }, standIns: [googlebusinessStandIn] }

t.test('given a service with a location', async (t) => {
  for (const [name, faults, query] of [
    ['all goes well', [], ''],
    ['the post is not visible at once', [], '?sandbox=processing:150'],
    ['the answer is lost', [fault({ kind: 'accept_then_timeout' })], ''],
    ['the answer is lost and the list lags', [fault({ kind: 'accept_then_timeout' })], '?sandbox=listed-after:50'],
    ['it answers 503 after it took the post', [fault({ kind: 'server_error', accepted: true })], ''],
    ['it answers 503 twice and took nothing', [fault({ kind: 'server_error', times: 2 })], ''],
    ['the access has expired', [fault({ kind: 'token_expired' })], ''],
    [
      'the access has expired and the renewal is lost',
      [fault({ kind: 'token_expired' }), fault({ call: 'refresh', kind: 'accept_then_timeout' })],
      '',
    ],
    ['it is over its rate limit', [fault({ kind: 'rate_limit' })], ''],
  ] as const) {
    await t.test(`when ${name}, then the image is live once and known as published`, async (t) => {
      const world = await givenWorld(t, given)
      const service = await givenProcess(world)
      const accountId = await world.account('googlebusiness')
      faults.forEach((each) => world.sandbox.faults.script(each))
      const mediaUrl = `${world.sandbox.url}/media/sample.jpg${query}`
      const id = await service.queue({ selections: { googlebusiness: [accountId] }, mediaUrl, hashtags: ['one'] })
      await service.drain()
      const row = await findPost(world.db, id)
      const [live, ...others] = world.sandbox.ledger.posts('googlebusiness')
      t.same(others, [])
      t.equal(live?.caption, 'A caption\n\n#one')
      t.equal(row?.status, 'published')
      t.match(row?.results['googlebusiness'], [{ accountId, ok: true, postId: live?.id, url: /use=posts/ }])
      t.same(world.sandbox.faults.pending(), [])
    })
  }

  for (const [name, faults, query, error] of [
    ['it refuses the post', [fault({ kind: 'reject' })], '', /not allowed/],
    ['it rejects the post after a while', [], '?sandbox=processing:20,rejected', /violates the policy/],
    [
      'it no longer renews the access',
      [fault({ kind: 'token_expired' }), fault({ call: 'refresh', kind: 'reject' })],
      '',
      /Connect the account again/,
    ],
  ] as const) {
    await t.test(`when ${name}, then that is final and says why`, async (t) => {
      const world = await givenWorld(t, given)
      const service = await givenProcess(world)
      const accountId = await world.account('googlebusiness')
      faults.forEach((each) => world.sandbox.faults.script(each))
      const mediaUrl = `${world.sandbox.url}/media/sample.jpg${query}`
      const id = await service.queue({ selections: { googlebusiness: [accountId] }, mediaUrl })
      await service.drain()
      const row = await findPost(world.db, id)
      t.match(row, { status: 'publish_failed', results: { googlebusiness: [{ ok: false, error }] } })
    })
  }

  await t.test('when a video is posted, then that account fails, and Google is not called', async (t) => {
    const world = await givenWorld(t, given)
    const service = await givenProcess(world)
    const accountId = await world.account('googlebusiness')
    const mediaUrl = `${world.sandbox.url}/media/sample.mp4`
    const id = await service.queue({ selections: { googlebusiness: [accountId] }, mediaType: 'video', mediaUrl })
    await service.drain()
    const results = { googlebusiness: [{ ok: false, error: /does not support video posts/ }] }
    t.match(await findPost(world.db, id), { status: 'publish_failed', results })
  })
})

t.test('given a process that dies at any of its steps, then the next one ends with one live post', async (t) => {
  const world = await givenWorld(t, given)
  const accountId = await world.account('googlebusiness')
  const run = async (name: string, point?: CrashPoint) => {
    const id = await (await givenProcess(world)).queue({ selections: { googlebusiness: [accountId] }, caption: name })
    const fuse = fused(world, point)
    await (await givenProcess(world, { ...fuse, slots: 1 })).drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world, { slots: 1 })).drain()
    t.match(await findPost(world.db, id), { status: 'published' }, `${name}: settled`)
    const live = world.sandbox.ledger.posts('googlebusiness').filter(({ caption }) => caption === name)
    t.equal(live.length, 1, `${name}: live once`)
    return fuse.acts
  }
  const acts = await run('no crash')
  t.ok(acts.length >= 5, acts.join(', '))
  for (let act = 0; act < acts.length; act += 1) {
    for (const moment of ['before', 'after'] as const) await run(`${moment} ${act}`, { act, moment })
  }
})
