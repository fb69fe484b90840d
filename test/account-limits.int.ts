import t, { type Test } from 'tap'
import { connectAccount } from '../commands/connect-account.ts'
import { handle } from '../commands/handle.ts'
import { account as accountKind } from '../domain/account/account.ts'
import type { PlatformKey } from '../domain/core/platform.ts'
import { connectedAccounts, limitsOf, standingOf } from '../projections/models/accounts.ts'
import { findPost } from '../projections/models/posts.ts'
import { MINUTE, pass } from './support/comments.ts'
import { causedBy, givenProcess, givenWorld } from './support/world.ts'
import { answer } from './support/youtube.ts'

interface Refusal {
  /** Of method and path. */
  readonly call: RegExp
  readonly status: number
  readonly body: unknown
  readonly times?: number
}

/** An account, on a platform that answers some calls in words that the real one is known to use. */
async function given(t: Test, platform: PlatformKey, parts: Parameters<typeof givenProcess>[1] = {}) {
  const world = await givenWorld(t)
  const accountId = await world.account(platform)
  let refusal: Refusal | undefined
  let refused = 0
  const request: typeof world.http.request = async (url, asked) => {
    const call = `${asked?.method ?? 'GET'} ${new URL(url).pathname}`
    if (!refusal?.call.test(call) || refused >= (refusal.times ?? Infinity)) return world.http.request(url, asked)
    refused += 1
    return answer(refusal.status, refusal.body)
  }
  const service = await givenProcess(world, { ...parts, http: { ...world.http, request } })
  const account = async () => {
    await service.step()
    const [row] = await connectedAccounts(world.db, world.workspaceId)
    if (!row) throw new Error('there is no account')
    return { row, ...standingOf(row, world.clock.now()), limits: limitsOf(row) }
  }
  const publish = async (more: Partial<Parameters<typeof service.queue>[0]> = {}) => {
    const id = await service.queue({ selections: { [platform]: [accountId] }, ...more })
    await service.drain()
    return { id, row: await findPost(world.db, id) }
  }
  const answers = (next: Refusal | undefined) => ([refusal, refused] = [next, 0])
  return { world, service, accountId, account, publish, answers }
}

// Documented: developers.facebook.com/docs/graph-api/guides/error-handling.
const NO_PERMISSION = {
  error: {
    message: '(#200) Requires pages_manage_engagement permission to manage the object',
    type: 'OAuthException',
    code: 200,
    fbtrace_id: 'AbC',
  },
}

t.test('given a Page whose owner did not grant comments', async (t) => {
  const { account, publish, answers } = await given(t, 'facebook')
  answers({ call: /^POST .*\/comments$/, status: 403, body: NO_PERMISSION })

  await t.test('when a first comment is refused, then only replies are limited, and posts are published', async (t) => {
    for (const firstComment of ['First!', 'Again!']) {
      const { row } = await publish({ firstComment })
      t.match(row, {
        status: 'published',
        results: { facebook: [{ ok: true, firstComment: { ok: false, error: /pages_manage_engagement/ } }] },
      })
    }
    const { status, limits } = await account()
    t.equal(status, 'ready')
    t.match(limits, [{ capability: 'replies', cause: 'permission_missing', reason: /pages_manage_engagement/ }])
    t.equal(limits.length, 1)
  })

  await t.test('when one succeeds, then nothing is limited', async (t) => {
    answers(undefined)
    await publish({ firstComment: 'Now!' })
    t.same((await account()).limits, [])
  })
})

t.test('given an X app without credits', async (t) => {
  const { account, publish, answers } = await given(t, 'x')
  // Reported: devcommunity.x.com, 2026.
  const body = {
    title: 'CreditsDepleted',
    detail: 'Your enrolled account does not have any credits to fulfill this request.',
    type: 'https://api.twitter.com/2/problems/credits',
  }
  answers({ call: /^POST \/x\/2\/tweets$/, status: 402, body })

  await t.test('when a post is refused, then the account names the bill, and the next post is tried', async (t) => {
    t.match((await publish()).row, { status: 'publish_failed' })
    t.match(await account(), { status: 'ready', limits: [{ capability: 'publishing', cause: 'billing' }] })
    answers(undefined)
    t.match((await publish()).row, { status: 'published' })
    t.same((await account()).limits, [])
  })
})

t.test('given a platform that fails', async (t) => {
  const { world, account, publish, answers } = await given(t, 'linkedin')
  const events = async () => {
    const { rows } = await world.db.query<{ type: string }>(
      `select type from log.events where type in ('AccountLimited', 'AccountLimitLifted') order by position`,
    )
    return rows.map(({ type }) => type)
  }
  const call = /\/rest\/images/

  await t.test('when it fails once, then the account is not marked', async (t) => {
    answers({ call, status: 503, body: {}, times: 1 })
    t.match((await publish()).row, { status: 'published' })
    t.same(await events(), [])
  })

  await t.test('when it fails again, then the account shows an outage until it works', async (t) => {
    answers({ call, status: 503, body: {}, times: 3 })
    t.match((await publish()).row, { status: 'published' })
    t.same(await events(), ['AccountLimited', 'AccountLimitLifted'])
    t.match(await account(), { status: 'ready', limits: [] })
  })
})

t.test('given a connection without all permissions', async (t) => {
  const { world, service, account, accountId, publish } = await given(t, 'threads')
  const { row } = await account()
  const { workspaceId, platform, externalId, label } = row
  const command = { workspaceId, platform, externalId, label, baseUrl: row.baseUrl ?? '' }
  const lacking = { comments: ['threads_read_replies'] }
  const connect = (granted: Parameters<typeof connectAccount>[2]) =>
    handle(world, accountKind, accountId, causedBy(JSON.stringify(granted)), (state) =>
      connectAccount(state, command, granted),
    )

  await t.test('when it is connected, then the account says what is missing, and publishes', async (t) => {
    await connect({ lacking })
    t.match((await publish()).row, { status: 'published' })
    t.match((await account()).limits, [
      {
        capability: 'comments',
        cause: 'permission_missing',
        permission: 'threads_read_replies',
        reason: /threads_read_replies.*allow comments/,
      },
    ])
  })

  await t.test('when it is connected again with them, then nothing is missing', async (t) => {
    await connect({})
    await pass(world, service, MINUTE)
    t.same((await account()).limits, [])
  })
})
