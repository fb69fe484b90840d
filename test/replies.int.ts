import t, { type Test } from 'tap'
import fc from 'fast-check'
import { handle, load } from '../commands/handle.ts'
import { approveReply, openReply, rejectReply } from '../commands/reply.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import type { ConversationPlatform } from '../domain/core/platform.ts'
import { reply } from '../domain/conversation/reply.ts'
import { findReply } from '../projections/models/replies.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { givenInbox, MINUTE, PACE, pass } from './support/comments.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { ids } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

/*
 * The guard of a reply. A scenario runs once to count its outside acts; then once per act and moment a process dies there,
 * and another one goes on from what is durable.
 */

async function given(t: Test, platform: ConversationPlatform) {
  const world = await givenWorld(t)
  const service = await givenProcess(world, { pace: PACE })
  const inbox = await givenInbox(world, platform, service)
  const commentId = await inbox.comment('What does it cost?')
  await pass(world, service, 31 * MINUTE)
  const known = await load(world.log, comment, commentStreamId(inbox.accountId, commentId))
  if (known.status === 'absent') throw new Error(`the comment on ${platform} was not fetched`)
  const { workspaceId, accountId, references } = known
  /** Approved and owed; returns its id. */
  const approved = async (text: string): Promise<string> => {
    const id = resourceId('rep', ids.ulid())
    const opened = {
      ...{ workspaceId, platform, accountId, commentId, references },
      ...{ commentText: known.text, source: 'api' as const },
    }
    await handle(world, reply, id, causedBy(id), (state) => openReply(state, opened, { text }))
    return id
  }
  const count = async (text: string) => (await inbox.answers()).filter((answer) => answer.text.includes(text)).length
  const statusOf = async (id: string) => {
    const { status, error } = (await findReply(world.db, id)) ?? {}
    return { status, error }
  }
  return { world, service, inbox, approved, count, statusOf }
}

const fault = (platform: ConversationPlatform, more: Partial<FaultScript>): FaultScript => ({
  ...{
    platform,
    call: 'reply',
    kind: 'accept_then_timeout',
    times: 1,
    delayMs: 0,
    retryAfterSeconds: 1,
    accepted: false,
  },
  ...more,
})

/** Sends one with a process that may die at a point, then with one that lives. */
async function send(scene: Awaited<ReturnType<typeof given>>, text: string, script?: FaultScript, point?: CrashPoint) {
  const { world, approved, count, statusOf } = scene
  world.sandbox.faults.clear()
  if (script) world.sandbox.faults.script(script)
  const id = await approved(text)
  const fuse = fused(world, point)
  const mortal = await givenProcess(world, { ...fuse, slots: 1 })
  await mortal.drain().catch((error: unknown) => {
    if (!fuse.dead()) throw error
  })
  await (await givenProcess(world)).drain()
  return { acts: fuse.acts, count: await count(text), ...(await statusOf(id)) }
}

for (const platform of ['bluesky', 'x', 'youtube', 'mastodon'] as const) {
  t.test(
    `given a reply on ${platform}, when the process dies before or after any act, then it is sent once`,
    async (t) => {
      const scene = await given(t, platform)
      for (const script of [undefined, fault(platform, {})]) {
        const name = script ? 'its answer lost' : 'no fault'
        let n = 0
        const text = () => `Answer ${platform} ${name} ${(n += 1)}`
        const whole = await send(scene, text(), script)
        t.match(whole, { count: 1, status: 'sent' }, name)
        t.ok(whole.acts.length >= 3)
        for (const act of whole.acts.keys()) {
          for (const moment of ['before', 'after'] as const) {
            const { count, status } = await send(scene, text(), script, { act, moment })
            t.same({ count, status }, { count: 1, status: 'sent' }, `${name}: died ${moment} ${whole.acts[act]}`)
          }
        }
      }
    },
  )
}

t.test(
  'given whatever goes wrong on the way, then a reply is there once when it is sent, and not when it failed',
  async (t) => {
    const scene = await given(t, 'bluesky')
    // No platform refuses what it has taken before: `reject` has a test of its own.
    const kinds = ['accept_then_timeout', 'rate_limit', 'server_error', 'token_expired', 'slow'] as const
    const faults = fc.record({
      kind: fc.constantFrom(...kinds),
      accepted: fc.boolean(),
      times: fc.integer({ min: 1, max: 3 }),
    })
    for (const [n, scripts] of fc.sample(fc.array(faults, { minLength: 1, maxLength: 3 }), 20).entries()) {
      const { world, approved, count, statusOf } = scene
      const text = `Whatever ${n}`
      scripts.forEach((script) => world.sandbox.faults.script(fault('bluesky', script)))
      const id = await approved(text)
      await (await givenProcess(world)).drain()
      const { status, error } = await statusOf(id)
      const there = await count(text)
      const name = `${status} after ${JSON.stringify(scripts)}: ${error}`
      if (status === 'failed' && /^The outcome is unknown/.test(error ?? '')) t.ok(there <= 1, name)
      else t.equal(there, status === 'sent' ? 1 : 0, name)
      world.sandbox.faults.clear()
    }
  },
)

t.test('given a reply whose platform refuses it', async (t) => {
  const scene = await given(t, 'x')
  const { world, approved, statusOf, count } = scene
  const { service } = scene

  await t.test('when it is approved with another text, then that one is sent', async (t) => {
    world.sandbox.faults.script(fault('x', { kind: 'reject' }))
    const id = await approved('Refused')
    await service.drain()
    t.match(await statusOf(id), { status: 'failed', error: /\w/ })
    await handle(world, reply, id, causedBy(`${id} again`), (state) => approveReply(state, 'Better'))
    await service.drain()
    t.match(await statusOf(id), { status: 'sent', error: null })
    t.same([await count('Refused'), await count('Better')], [0, 1])
  })

  await t.test('when it is rejected, then nothing more is sent', async (t) => {
    world.sandbox.faults.script(fault('x', { kind: 'reject' }))
    const id = await approved('Never mind')
    await service.drain()
    await handle(world, reply, id, causedBy(`${id} rejected`), rejectReply)
    await service.drain()
    t.match(await statusOf(id), { status: 'rejected' })
    t.equal(await count('Never mind'), 0)
  })
})

t.test('given a reply whose outcome nothing can tell', async (t) => {
  const scene = await given(t, 'x')
  const { world, service, approved, statusOf, count } = scene
  const blind: World = {
    ...world,
    platforms: {
      ...world.platforms,
      x: { ...world.platforms.x, conversation: { ...world.platforms.x.conversation!, proof: 'opaque' } },
    },
  }
  const opaque = await givenProcess(blind)
  world.sandbox.faults.script(fault('x', {}))
  const id = await approved('Perhaps')
  await opaque.drain()
  t.match(await statusOf(id), { status: 'failed', error: /^The outcome is unknown/ })
  t.equal(await count('Perhaps'), 1)

  await t.test(
    'when it is approved again where it can be looked for, then it is found and not sent again',
    async (t) => {
      await handle(world, reply, id, causedBy(`${id} again`), (state) => approveReply(state, undefined))
      await service.drain()
      t.match(await statusOf(id), { status: 'sent' })
      t.equal(await count('Perhaps'), 1)
    },
  )
})
