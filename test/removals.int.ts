import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { auditLog } from '../app/cli/audit-log.ts'
import { receiveComment } from '../commands/comment.ts'
import { connectAccount } from '../commands/connect-account.ts'
import { handle, load } from '../commands/handle.ts'
import { account } from '../domain/account/account.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import { ERASED } from '../domain/core/personal-data.ts'
import type { PlatformKey } from '../domain/core/platform.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { ownApps } from '../platforms/kit/own-apps.ts'
import { findAccount } from '../projections/models/accounts.ts'
import { pass } from './support/comments.ts'
import { givenPlatform } from './support/connection.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { ids, postJson } from './support/sandbox.ts'
import { causedBy, givenProcess, logOf, vaultOf } from './support/world.ts'

/* A person removes the app on the platform, which tells the service. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PAGE = '/connect/…/deletions/'
const sentSchema = z.object({ sent: z.string(), status: z.number(), body: z.string() })
const answerSchema = z.object({ url: z.string(), confirmation_code: z.string() })

type Connected = Awaited<ReturnType<typeof given>>

/** A service that has an app on the platform, whose URLs the sandbox can call. */
async function given(
  t: Test,
  platform: PlatformKey,
  more: Parameters<typeof givenPlatform>[2] = [{ label: 'ada' }],
  login?: PlatformKey,
) {
  const called = login ?? platform
  const scene = await givenPlatform(t, platform, more, { app: called })
  const { api, world, app, owner } = scene
  const server = await api.server({ apps: ownApps(new Map([[called, app]]), [world.sandbox.url]) })
  const port = await server.listen()
  const service = await givenProcess(world)
  const post = (kind: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    server.app.inject({ method: 'POST', url: `/connect/${called}/${kind}`, headers, payload: body })
  return {
    ...{ ...scene, server, service, post },
    /** The person signs in and consents, in a workspace. @returns the account's id */
    signIn: async (workspaceId = world.workspaceId) => {
      const credentials = platform === 'tiktok' ? { privacyLevel: 'SELF_ONLY' } : {}
      const { page, choose, row } = await scene.connect({ given: credentials, workspaceId, ...(login && { login }) })
      if (/type="radio"/.test(page.body)) await choose(0)
      await service.step()
      return (await row())?.account_id ?? ''
    },
    commented: async (accountId: string) => {
      const commentId = ids.ulid()
      const id = commentStreamId(accountId, commentId)
      const state = await load(world.log, account, accountId)
      if (state.status === 'absent') throw new Error('no account')
      const content = {
        ...({ workspaceId: state.workspaceId, platform: 'instagram', accountId, commentId } as const),
        ...({ kind: 'comment', author: 'Grace', text: 'first', references: {}, replied: false } as const),
        createdAt: isoTime(world.clock.now()),
      }
      await handle(world, comment, id, causedBy(id), (before) => receiveComment(before, content))
      await service.step()
      return id
    },
    isErased: async (commentId: string) => {
      const found = await load(world.log, comment, commentId)
      return found.status === 'received' && found.isErased === true
    },
    row: async (accountId: string) => findAccount(world.db, accountId),
    /** The owner removes the app on the platform, which calls the service. */
    removeApp: async (kind: 'deauthorize' | 'delete') => {
      const url = `http://127.0.0.1:${port}/connect/${called}/${kind}`
      const asked = { platform, accountId: owner.externalId, url }
      const answer = await postJson(world.http, `${world.sandbox.url}/_control/removals`, asked)
      return sentSchema.parse(answer.json())
    },
    visit: async (url: string) => server.app.inject({ url: new URL(url).pathname }),
    pass: (ms: number) => pass(world, service, ms),
  }
}

/** How the account's history names it. */
async function erasedFields({ world }: Pick<Connected, 'world'>, accountId: string) {
  const log = logOf(world)
  const events = await log.read(`account-${accountId}`)
  await log.close()
  return events.flatMap(({ data }) => Object.entries(data).filter(([name]) => name === 'label' || name === 'ownerId'))
}

/** A login of Instagram asks the app of Facebook, which is then told. */
const REMOVED: readonly { readonly platform: PlatformKey; readonly login?: PlatformKey }[] = [
  { platform: 'facebook' },
  { platform: 'instagram' },
  { platform: 'instagram', login: 'facebook' },
  { platform: 'threads' },
]

for (const { platform, login } of REMOVED) {
  const where = login ? `${platform} through ${login}` : platform
  t.test(`given a person who connected an account on ${where}`, async (t) => {
    const scene = await given(t, platform, undefined, login)
    const { world, service, signIn, commented, isErased, row, removeApp, visit, pass, post } = scene

    await t.test(
      'when they remove the app, then it is disconnected, and erased as after any disconnection',
      async (t) => {
        const accountId = await signIn()
        const commentId = await commented(accountId)
        t.match(await removeApp('deauthorize'), { status: 200, body: '{}' })
        await pass(MINUTE)
        t.match(await row(accountId), { connected: false, label: 'ada' })
        t.equal(await vaultOf(world).find(accountId), undefined)
        t.equal(await isErased(commentId), false)
        await pass(25 * HOUR)
        t.match(await row(accountId), { connected: false, label: ERASED, ownerId: null })
        t.equal(await isErased(commentId), true)
      },
    )

    await t.test(
      'when they ask for the deletion of their data, then all of it is erased, and a page says so',
      async (t) => {
        const accountId = await signIn()
        const commentId = await commented(accountId)
        const { sent, status, body } = await removeApp('delete')
        t.equal(status, 200)
        const { url, confirmation_code: code } = answerSchema.parse(JSON.parse(body))
        t.match(code, /^[0-9a-f]{32}$/)
        t.equal(url, `https://fanfare.test${PAGE.replace('…', login ?? platform)}${code}`)
        t.match(await visit(url), {
          statusCode: 200,
          headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
          body: /<html lang="en">[^]*<h1>Deletion in progress<\/h1>[^]*What is erased/,
        })

        await service.step()
        const again = await post('delete', sent)
        t.same(again.json(), { url, confirmation_code: code }, 'a repeated call has the same answer')

        await pass(5 * MINUTE)
        t.match(await row(accountId), { connected: false, label: ERASED, ownerId: null })
        t.equal(await isErased(commentId), true)
        t.equal(await vaultOf(world).find(accountId), undefined)
        const named = await erasedFields(scene, accountId)
        t.ok(named.length > 0)
        t.ok(
          named.every(([, value]) => value === ERASED),
          'also in its history',
        )
        const page = await visit(url)
        t.match(
          page.body,
          /<h1>Deletion finished<\/h1>[^]*It was finished on <time datetime="[^"]+">\d+ \w+ \d{4} at [\d:]+ UTC/,
        )
        t.notMatch(page.body, /ada|acc_|https?:\/\//, 'without anything about the account')
        const { rows } = await world.db.query(
          "select kind from read.agenda where kind in ('retain', 'erase', 'remove')",
        )
        t.same(rows, [], 'and nothing is left to do')
        t.match(await auditLog({ log: world.log }), { intact: true })

        await t.test('and when they connect it again, then a repeat of that call does not end it', async (t) => {
          await pass(5 * MINUTE)
          t.equal(await signIn(), accountId)
          t.same((await post('delete', sent)).json(), { url, confirmation_code: code })
          await pass(5 * MINUTE)
          t.match(await row(accountId), { connected: true, label: 'ada' })
          t.match((await visit(url)).body, /Deletion finished/)
        })
      },
    )

    await t.test('when they remove the app first, then the deletion need not wait for the day to pass', async (t) => {
      const accountId = await signIn()
      const commentId = await commented(accountId)
      await removeApp('deauthorize')
      await pass(HOUR)
      t.equal(await isErased(commentId), false)
      const { body } = await removeApp('delete')
      await pass(5 * MINUTE)
      t.equal(await isErased(commentId), true)
      t.match(await row(accountId), { label: ERASED })
      t.match((await visit(answerSchema.parse(JSON.parse(body)).url)).body, /Deletion finished/)
    })
  })

  t.test(`given an account on ${where} that the person connected in two workspaces`, async (t) => {
    const scene = await given(t, platform, undefined, login)
    const { signIn, commented, isErased, row, removeApp, pass, visit } = scene
    const accounts = [await signIn(), await signIn(resourceId('ws', ids.ulid()))]
    t.not(accounts[0], accounts[1])
    const comments = [await commented(accounts[0] ?? ''), await commented(accounts[1] ?? '')]

    await t.test('when they ask for the deletion, then both are erased', async (t) => {
      const { body } = await removeApp('delete')
      await pass(5 * MINUTE)
      for (const id of accounts) t.match(await row(id), { connected: false, label: ERASED })
      for (const id of comments) t.equal(await isErased(id), true)
      t.match((await visit(answerSchema.parse(JSON.parse(body)).url)).body, /Deletion finished/)
    })
  })

  t.test(`given accounts on ${where} that others connected`, async (t) => {
    const { app, service, signIn, row, visit, post } = await given(t, platform, undefined, login)
    const accountId = await signIn()

    await t.test('when somebody else asks for a deletion, then a page says that nothing was stored', async (t) => {
      const answer = await post('delete', signedFor('4711', app.clientSecret))
      t.equal(answer.statusCode, 200)
      const { url, confirmation_code: code } = answerSchema.parse(answer.json())
      t.match(code, /^[0-9a-f]{32}$/, 'of the same form')
      t.match(await visit(url), { statusCode: 200, body: /<h1>Nothing to delete<\/h1>/ })
      await service.step()
      t.equal((await post('deauthorize', signedFor('4711', app.clientSecret))).statusCode, 200)
    })

    await t.test('when a call is not signed by the platform, then nothing happens', async (t) => {
      const ownerId = (await row(accountId))?.ownerId ?? (await row(accountId))?.externalId ?? ''
      for (const body of ['', 'signed_request=', signedFor(ownerId, 'wrong'), JSON.stringify({ user_id: ownerId })]) {
        for (const kind of ['delete', 'deauthorize']) {
          const answer = await post(kind, body, { 'content-type': 'application/x-www-form-urlencoded' })
          t.match(answer.json(), { error: { code: 'invalid_request', message: /signed_request/ } })
          t.equal(answer.statusCode, 400)
        }
      }
      t.match((await post('delete', `signed_request=${'a'.repeat(70_000)}`)).json(), { error: { message: /64 KB/ } })
      t.match(await row(accountId), { connected: true })
    })

    await t.test('when a page is asked for with a wrong code, then there is none', async (t) => {
      for (const code of ['0'.repeat(32), 'x', '%00']) {
        const page = await visit(`https://fanfare.test${PAGE.replace('…', platform)}${code}`)
        t.match(page, { statusCode: 404, body: /no deletion request with this code/ })
      }
    })
  })
}

t.test('given an installation without an app, when a platform calls it, then there is no such URL', async (t) => {
  const { api, app } = await givenPlatform(t, 'facebook')
  for (const url of ['/connect/facebook/delete', '/connect/facebook/deauthorize', '/connect/tiktok/delete']) {
    const answer = await api.app.inject({ method: 'POST', url, payload: signedFor('1', app.clientSecret) })
    t.equal(answer.statusCode, 404, url)
  }
})

t.test('given calls that are not signed, when one address sends many, then it has to wait', async (t) => {
  const { api, world, app } = await givenPlatform(t, 'facebook')
  const apps = ownApps(new Map([['facebook', app]]), [world.sandbox.url])
  const { app: server } = await api.server({ apps, limits: { perMinute: 2, perDay: 100 } })
  const send = async (secret: string) =>
    (await server.inject({ method: 'POST', url: '/connect/facebook/delete', payload: signedFor('1', secret) }))
      .statusCode
  t.same([await send('a'), await send('b'), await send('c')], [400, 400, 429])
  t.equal(await send(app.clientSecret), 200, 'but not the platform')
})

for (const platform of ['facebook', 'instagram'] as const) {
  t.test(`given an account on ${platform} that was connected before its owner was asked for`, async (t) => {
    const scene = await given(t, platform)
    const { world, signIn, row, removeApp, pass } = scene
    const accountId = await signIn()
    const state = await load(world.log, account, accountId)
    if (state.status === 'absent') throw new Error('not connected')
    const { workspaceId, externalId, label, baseUrl, ownerId } = state
    t.ok(ownerId)
    t.not(ownerId, externalId)
    const before = { workspaceId, platform, externalId, label, ...(baseUrl !== undefined && { baseUrl }) }
    await handle(world, account, accountId, causedBy('before'), (known) => connectAccount(known, before))
    t.match(await load(world.log, account, accountId), { status: 'connected', ownerId: undefined })

    await t.test('when it is looked at, then its owner is known, and can have it removed', async (t) => {
      await pass(MINUTE)
      t.match(await row(accountId), { ownerId, connected: true })
      await removeApp('delete')
      await pass(5 * MINUTE)
      t.match(await row(accountId), { label: ERASED, connected: false })
    })
  })
}

t.test('given an account on facebook that was connected with the token of its Page alone', async (t) => {
  const { world, accounts, app, post, visit, pass, row } = await given(t, 'facebook')
  const [page] = accounts
  const { accessToken = '' } = page?.credentials ?? {}
  const accountId = await world.connect('facebook', { credentials: { accessToken }, baseUrl: page?.baseUrl ?? '' })
  await pass(MINUTE)

  await t.test('when its owner asks for a deletion, then the page says what to do', async (t) => {
    const answer = await post('delete', signedFor(`1${page?.externalId ?? ''}`, app.clientSecret))
    const { body } = await visit(answerSchema.parse(answer.json()).url)
    t.match(body, /Nothing to delete[^]*may not be recognized as yours[^]*ask them to disconnect/)
    t.match(await row(accountId), { ownerId: null, connected: true })
  })
})

t.test('given a deletion of accounts in two workspaces', async (t) => {
  const { api, world, app } = await givenPlatform(t, 'threads')
  const { app: server } = await api.server({ apps: ownApps(new Map([['threads', app]]), [world.sandbox.url]) })
  const externalId = '97531'

  const run = async (point?: CrashPoint) => {
    const accounts = [resourceId('acc', ids.ulid()), resourceId('acc', ids.ulid())]
    const comments = accounts.map((id) => commentStreamId(id, 'first'))
    for (const [index, id] of accounts.entries()) {
      const workspaceId = resourceId('ws', ids.ulid())
      const command = { workspaceId, platform: 'threads', externalId, label: 'ada' } as const
      await handle(world, account, id, causedBy(id), (state) => connectAccount(state, command))
      const content = {
        ...({ workspaceId, platform: 'threads', accountId: id, commentId: 'first', kind: 'comment' } as const),
        ...{ author: 'Grace', text: 'first', references: {}, replied: false, createdAt: isoTime(world.clock.now()) },
      }
      const name = comments[index] ?? ''
      await handle(world, comment, name, causedBy(name), (state) => receiveComment(state, content))
    }
    const fuse = fused(world, point)
    const mortal = await givenProcess(world, fuse)
    await mortal.step().catch(() => undefined)
    const answer = await server.inject({
      method: 'POST',
      url: '/connect/threads/delete',
      payload: signedFor(externalId, app.clientSecret),
    })
    t.equal(answer.statusCode, 200, answer.body)
    await mortal.drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    const died = fuse.dead()
    await (await givenProcess(world)).drain()
    const rows = await Promise.all(accounts.map((id) => findAccount(world.db, id)))
    const states = await Promise.all(comments.map((id) => load(world.log, comment, id)))
    return { acts: fuse.acts, died, rows, states }
  }

  const whole = await run()
  t.ok(
    whole.acts.some((act) => /RemovalFinished/.test(act)),
    whole.acts.join(', '),
  )
  for (const [act, name] of whole.acts.entries()) {
    if (!/AccountDisconnected|Erasure|Erased|Removal/.test(name)) continue
    for (const moment of ['before', 'after'] as const) {
      await t.test(`when the process dies ${moment} ${name} (${act}), then another one finishes it`, async (t) => {
        const { died, rows, states } = await run({ act, moment })
        t.equal(died, true)
        for (const row of rows) t.match(row, { connected: false, label: ERASED })
        for (const state of states) t.match(state, { isErased: true })
        const { rows: left } = await world.db.query("select id from read.agenda where kind in ('remove', 'erase')")
        t.same(left, [])
      })
    }
  }
})

t.test('given a person who connected an account on tiktok', async (t) => {
  const scene = await given(t, 'tiktok')
  const { world, app, signIn, commented, isErased, row, removeApp, pass, post } = scene
  const accountId = await signIn()
  const commentId = await commented(accountId)
  const other = await signIn(resourceId('ws', ids.ulid()))

  await t.test('when TikTok tells of something else, then nothing happens', async (t) => {
    const event = { client_key: app.clientId, event: 'video.publish.completed', create_time: 1, content: '{}' }
    const answer = await post(...signedEvent({ ...event, user_openid: scene.owner.externalId }, app.clientSecret))
    t.match([answer.statusCode, answer.json()], [200, {}])
    await pass(MINUTE)
    t.match(await row(accountId), { connected: true })
  })

  await t.test(
    'when they remove the app, then it is disconnected in every workspace, and erased a day later',
    async (t) => {
      const { sent, status } = await removeApp('deauthorize')
      t.equal(status, 200)
      await pass(MINUTE)
      for (const id of [accountId, other]) {
        t.match(await row(id), { connected: false })
        t.equal(await vaultOf(world).find(id), undefined)
      }
      await pass(25 * HOUR)
      t.match(await row(accountId), { label: ERASED })
      t.equal(await isErased(commentId), true)

      await t.test('and when TikTok repeats it after they have connected it again, then that stays', async (t) => {
        t.equal(await signIn(), accountId)
        const answer = await post(
          ...signedEvent(z.record(z.string(), z.unknown()).parse(JSON.parse(sent)), app.clientSecret),
        )
        t.equal(answer.statusCode, 200)
        await pass(MINUTE)
        t.match(await row(accountId), { connected: true })
      })
    },
  )
})

function signedEvent(event: object, secret: string): [string, string, Readonly<Record<string, string>>] {
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', secret).update(`5.${body}`).digest('hex')
  return ['deauthorize', body, { 'content-type': 'application/json', 'tiktok-signature': `t=5,s=${signature}` }]
}

/** A form as Meta sends it. */
function signedFor(userId: string, secret: string): string {
  const payload = Buffer.from(JSON.stringify({ algorithm: 'HMAC-SHA256', user_id: userId })).toString('base64url')
  const signature = createHmac('sha256', secret).update(payload).digest('base64url')
  return new URLSearchParams({ signed_request: `${signature}.${payload}` }).toString()
}
