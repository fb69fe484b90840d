import t, { type Test } from 'tap'
import { limitAccount } from '../commands/account-standing.ts'
import { addChannel } from '../commands/channel.ts'
import { chargeCredits, closeBooks, grantCredits } from '../commands/credits.ts'
import { handle } from '../commands/handle.ts'
import { account } from '../domain/account/account.ts'
import type { Capability, LimitCause } from '../domain/account/capability.ts'
import { channel } from '../domain/notification/channel.ts'
import { credits } from '../domain/video/credits.ts'
import { chatServer } from './support/chat-server.ts'
import { ids } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, vaultOf } from './support/world.ts'

/* People hear once, in each period, that a budget is nearly spent and that it is spent. */

const DAY = 86_400_000

async function given(t: Test) {
  const world = await givenWorld(t)
  const { workspaceId, clock } = world
  const chat = await chatServer(t)
  const service = await givenProcess(world)
  const id = `chn_${ids.ulid()}`
  await vaultOf(world).put(workspaceId, id, { url: `${chat.url}/slack` })
  const added = { workspaceId, kind: 'slack', address: 'a', needsConfirmation: false, label: '' } as const
  // The times of a digest differ from day to day, but a budget is one message all the same.
  const times = { timezone: 'UTC', quietHours: null, digestAt: '09:00' }
  await handle(world, channel, id, causedBy(id), (state) =>
    addChannel(state, { ...added, ...times, topics: ['budget.reached'] }),
  )
  /** What is sent within a day. */
  const told = async (): Promise<readonly string[]> => {
    chat.got.length = 0
    await service.drain()
    await clock.advanceTo(clock.now() + DAY)
    await service.drain()
    return chat.got.map(({ text }) => text)
  }
  return { world, told }
}

t.test('given a monthly budget for a platform', async (t) => {
  const { world, told } = await given(t)
  const accounts = [await world.account('x'), await world.account('x')]
  const limit = async (capability: Capability, reason: string, cause: LimitCause = 'billing') => {
    for (const id of accounts) {
      await handle(world, account, id, causedBy(`${id} ${capability} ${reason}`), (state) =>
        limitAccount(state, capability, { cause, reason }),
      )
    }
  }
  await world.clock.advanceTo(Date.UTC(2027, 0, 2))

  await t.test('when reading stops, then it is said once for all accounts and kinds', async (t) => {
    await limit('comments', 'Reading stops: $40 of $50.')
    await limit('analytics', 'Reading stops, too.')
    const texts = await told()
    t.equal(texts.length, 1)
    t.equal(texts[0]?.match(/X: Reading stops/g)?.length, 1)
    t.match(texts[0], '/accounts')
  })

  await t.test('when posts wait on a later day, then that is said, once', async (t) => {
    await limit('publishing', 'Posts wait: $50 of $50.')
    t.match(await told(), [/X: Posts wait/])
    await limit('replies', 'Replies wait.')
    t.same(await told(), [])
  })

  await t.test('when something else limits an account, then it is not about a budget', async (t) => {
    await limit('publishing', 'The app is not reviewed.', 'app_not_approved')
    t.same(await told(), [])
  })

  await t.test('when it is spent again in the next month, then it is said again', async (t) => {
    await world.clock.advanceTo(Date.UTC(2027, 1, 2))
    await limit('publishing', 'Posts wait again.')
    t.match(await told(), [/X: Posts wait again/])
  })
})

t.test('given AI credits', async (t) => {
  const { world, told } = await given(t)
  const { workspaceId } = world
  const grant = (amount: number) =>
    handle(world, credits, workspaceId, causedBy(ids.ulid()), (state) => grantCredits(state, { workspaceId, amount }))
  const charge = async (...amounts: readonly number[]) => {
    for (const amount of amounts) {
      const videoId = `vid_${ids.ulid()}`
      await handle(world, credits, workspaceId, causedBy(videoId), (state) =>
        chargeCredits(state, { workspaceId, videoId, amount }),
      )
    }
  }
  // What is charged for videos that nobody asks for is refunded within the day.
  await grant(100)
  await charge(50, 20)
  t.same(await told(), [], '30 are left')
  const books = { workspaceId, isSettled: () => true }
  await handle(world, credits, workspaceId, causedBy('books'), (state) => closeBooks(state, books))
  await charge(40, 40)
  t.match(await told(), [/20 of 100 AI credits are left, too few for another video like the last one\./])
  await charge(40, 20, 20)
  t.match(await told(), [/20 of 100 AI credits are left\..*\/credits/])
  await charge(40, 40, 10)
  t.same(await told(), [], 'both are known')
  await grant(100)
  await charge(100)
  t.same(await told(), [], '100 of 200 are left')
  await charge(100, 70)
  t.match(await told(), [/30 of 200 AI credits are left, too few/])
})
