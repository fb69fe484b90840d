import t from 'tap'
import { connectedAccounts, limitsOf, standingOf } from '../projections/models/accounts.ts'
import { findPost } from '../projections/models/posts.ts'
import { givenInbox, PACE, pass } from './support/comments.ts'
import { postJson } from './support/sandbox.ts'
import { givenProcess, givenWorld } from './support/world.ts'

t.test('given an app without advanced access, and an account with comments', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world, { pace: PACE })
  const review = (isReviewed: boolean) =>
    postJson(world.http, `${world.sandbox.url}/_control/reviews`, { platform: 'instagram', isReviewed })
  t.equal((await review(false)).status, 201)
  const inbox = await givenInbox(world, 'instagram', service)
  const { accountId } = inbox
  const standing = async () => {
    await pass(world, service, 2 * PACE.mostMs)
    const row = (await connectedAccounts(world.db, world.workspaceId)).find(({ id }) => id === accountId)
    return row && { ...standingOf(row, world.clock.now()), limits: limitsOf(row) }
  }
  const received = async () => {
    const { rows } = await world.db.query<{ text: string }>('select text from read.comments order by text')
    return rows.map(({ text }) => text)
  }
  const ready = { status: 'ready', limits: [] }
  const limited = {
    status: 'ready',
    limits: [{ capability: 'comments', cause: 'app_not_approved', reason: /lists none.*advanced access/ }],
  }

  await t.test('when nobody has commented, then nothing is limited', async (t) => {
    t.match(await standing(), ready)
    t.equal((await standing())?.limits.length, 0)
  })

  await t.test('when comments are counted but not listed, then the account says so, and posts go out', async (t) => {
    await inbox.comment('Where is this?')
    t.match(await standing(), limited)
    t.same(await received(), [])
    const id = await service.queue({ selections: { instagram: [accountId] }, caption: 'Next', firstComment: 'Ours' })
    await service.drain()
    t.match((await findPost(world.db, id))?.results.instagram, [{ ok: true }])
    const after = await standing()
    t.match(after, limited, 'a comment of its own changes nothing')
    t.equal(after?.limits.length, 1)
  })

  await t.test('when the app gets the access, then the comments come, and nothing is limited', async (t) => {
    await review(true)
    t.equal((await standing())?.limits.length, 0)
    t.same(await received(), ['Where is this?'])
  })
})
