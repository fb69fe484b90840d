import t, { type Test } from 'tap'
import { z } from 'zod'
import { auditLog } from '../app/cli/audit-log.ts'
import { receiveComment } from '../commands/comment.ts'
import { connectAccount } from '../commands/connect-account.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { requestErasure } from '../commands/erasure.ts'
import { handle, load } from '../commands/handle.ts'
import { account } from '../domain/account/account.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import { CONVERSATION_PLATFORMS, type ConversationPlatform } from '../domain/core/platform.ts'
import { erasure } from '../domain/workspace/erasure.ts'
import { ERASED } from '../domain/core/personal-data.ts'
import { HttpFailure } from '../infra/http/http.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import type { Credentials } from '../platforms/kit/platform.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { RETENTION } from '../platforms/retention.ts'
import { findAccount } from '../projections/models/accounts.ts'
import { forgetAccount } from '../reactors/accounts/connect-account.ts'
import { pass } from './support/comments.ts'
import { ids } from './support/sandbox.ts'
import { accessOf, causedBy, givenProcess, givenWorld, logOf, vaultOf, type World } from './support/world.ts'

/* What a platform's terms do not allow to be kept is erased in time. */

const MINUTE = 60_000
const DAY = 86_400_000

async function given(t: Test, platform: ConversationPlatform) {
  const world = await givenWorld(t)
  const { workspaceId, clock } = world
  const service = await givenProcess(world)
  const accountId = await world.account(platform)
  await service.step()
  const label = (await findAccount(world.db, accountId))?.label ?? ''
  const state = await load(world.log, account, accountId)
  if (state.status === 'absent') throw new Error('the account is not connected')
  const { externalId, baseUrl } = state
  return {
    ...{ world, accountId, label },
    pass: (ms: number) => pass(world, service, ms),
    /** Somebody comments; returns the id of the comment's stream. */
    commented: async (text: string) => {
      const id = commentStreamId(accountId, text)
      const content = {
        ...({ workspaceId, platform, accountId, commentId: text, kind: 'comment', author: 'Ada', text } as const),
        ...{ createdAt: isoTime(clock.now()), references: {}, replied: false },
      }
      await handle(world, comment, id, causedBy(id), (before) => receiveComment(before, content))
      return id
    },
    isErased: async (id: string) => {
      const found = await load(world.log, comment, id)
      return found.status === 'received' && found.isErased === true
    },
    disconnect: () => handle(world, account, accountId, causedBy(ids.token()), disconnectAccount),
    connect: () =>
      handle(world, account, accountId, causedBy(ids.token()), (before) =>
        connectAccount(before, { workspaceId, platform, externalId, label, ...(baseUrl && { baseUrl }) }),
      ),
    row: () => findAccount(world.db, accountId),
  }
}

for (const platform of CONVERSATION_PLATFORMS) {
  const { commentsMs, afterDisconnectMs } = RETENTION[platform]

  t.test(`given comments on a connected account on ${platform}`, async (t) => {
    const { world, pass, commented, isErased } = await given(t, platform)
    const first = await commented('first')
    if (commentsMs === undefined) {
      await pass(200 * DAY)
      t.equal(await isErased(first), false, 'then they are kept')
      return
    }
    await pass(0.9 * commentsMs)
    t.equal(await isErased(first), false)
    const second = await commented('second')
    await pass(0.1 * commentsMs)
    t.equal(await isErased(first), true, 'then each is erased in time')
    t.equal(await isErased(second), false)
    await pass(0.9 * commentsMs)
    t.equal(await isErased(second), true)
    t.match(await auditLog({ log: logOf(world) }), { intact: true })
  })

  t.test(`given an account on ${platform} that is disconnected`, async (t) => {
    const { world, accountId, label, pass, commented, isErased, disconnect, connect, row } = await given(t, platform)
    const id = await commented('first')

    if (afterDisconnectMs > 0) {
      await t.test('when it is connected again soon, then nothing is erased', async (t) => {
        await disconnect()
        await pass(afterDisconnectMs - MINUTE)
        t.equal(await isErased(id), false)
        await connect()
        await pass(10 * MINUTE)
        t.equal(await isErased(id), false)
        t.match(await row(), { label, connected: true })
      })
    }

    await t.test('when it is not, then its comments and its name are erased', async (t) => {
      await disconnect()
      if (afterDisconnectMs > 0) {
        const erasureId = resourceId('ers', ids.ulid())
        const filter = { workspaceId: world.workspaceId, before: isoTime(world.clock.now()) }
        await handle(world, erasure, erasureId, causedBy(erasureId), (before) => requestErasure(before, filter))
        await pass(2 * MINUTE)
        t.match(await row(), { label }, 'another erasure leaves the name')
      }
      await pass(afterDisconnectMs + 3 * MINUTE)
      t.equal(await isErased(id), true)
      t.match(await row(), { label: ERASED, connected: false })
      const log = logOf(world)
      const names = (await log.read(`account-${accountId}`)).flatMap(({ data }) =>
        'label' in data ? [data.label] : [],
      )
      t.ok(names.length > 0)
      t.same([...new Set(names)], [ERASED])
      const { rows } = await world.db.query("select kind from read.agenda where kind in ('retain', 'erase')")
      t.same(rows, [], 'and nothing is left to do')
      await log.close()
    })

    await t.test('when it is connected later, then it has a name again, and is erased again', async (t) => {
      await connect()
      await pass(MINUTE)
      t.match(await row(), { label, connected: true })
      const second = await commented('second')
      await pass(MINUTE)
      t.equal(await isErased(second), false)
      await disconnect()
      await pass(afterDisconnectMs + 3 * MINUTE)
      t.equal(await isErased(second), true)
      t.match(await row(), { label: ERASED })
      t.match(await auditLog({ log: logOf(world) }), { intact: true })
    })
  })
}

const SESSION = z.object({ refreshJwt: z.string(), pdsUrl: z.string() })

for (const platform of ['youtube', 'tiktok', 'x', 'bluesky'] as const) {
  t.test(`given an account on ${platform}`, async (t) => {
    const world = await givenWorld(t)
    const vault = vaultOf(world)
    const works = async (credentials: Credentials) => {
      if (platform === 'bluesky') {
        const { refreshJwt, pdsUrl } = SESSION.parse(credentials)
        const url = `${pdsUrl}/xrpc/com.atproto.server.refreshSession`
        const headers = { authorization: `Bearer ${refreshJwt}` }
        return (await world.http.request(url, { method: 'POST', headers })).status === 200
      }
      return accessOf(world)
        .connecting(MINUTE, (io) =>
          world.platforms[platform].connect(credentials, `${world.sandbox.url}/${platform}`, io),
        )
        .then(
          () => true,
          () => false,
        )
    }

    t.equal(await works(await vault.get(await world.account(platform))), true)

    await t.test('when it is disconnected, then its access is revoked, and its credentials are gone', async (t) => {
      const id = await world.account(platform)
      const credentials = await vault.get(id)
      await world.clock.advanceTo(world.clock.now() + 1_000)
      await forgetAccount({ ...world, vault, access: accessOf(world) }, id, causedBy(`forget ${id}`))
      t.equal(await vault.find(id), undefined)
      t.equal(await works(credentials), false)
    })

    await t.test('when the platform cannot be reached, then that is done later', async (t) => {
      const id = await world.account(platform)
      const credentials = await vault.get(id)
      const http: World['http'] = {
        ...world.http,
        request: () => Promise.reject(new HttpFailure('unreachable', 'away', false)),
      }
      await forgetAccount({ ...world, vault, access: accessOf({ ...world, http }) }, id, causedBy(`forget ${id}`))
      t.same(await vault.find(id), credentials)
      await pass(world, await givenProcess(world, { http }), 15 * MINUTE)
      t.same(await vault.find(id), credentials, 'and again, until it can')
      await pass(world, await givenProcess(world), 15 * MINUTE)
      t.equal(await vault.find(id), undefined)
      t.equal(await works(credentials), false)
    })

    await t.test('when the platform can never be reached, then the credentials are deleted in the end', async (t) => {
      const id = await world.account(platform)
      const request = () => Promise.reject(new HttpFailure('unreachable', 'away', false))
      const http: World['http'] = { ...world.http, request }
      await forgetAccount({ ...world, vault, access: accessOf({ ...world, http }) }, id, causedBy(`forget ${id}`))
      await pass(world, await givenProcess(world, { http }), RETENTION[platform].afterDisconnectMs + 3 * MINUTE)
      t.equal(await vault.find(id), undefined)
      t.match(await findAccount(world.db, id), { label: ERASED })
    })

    await t.test('when another workspace has the same account, then its access is not revoked', async (t) => {
      const id = await world.account(platform)
      const credentials = await vault.get(id)
      await world.connect(platform, { credentials, baseUrl: `${world.sandbox.url}/${platform}` }, 'ws_other')
      await (await givenProcess(world)).step()
      await forgetAccount({ ...world, vault, access: accessOf(world) }, id, causedBy(`forget ${id}`))
      t.equal(await vault.find(id), undefined)
      t.equal(await works(credentials), true)
    })

    await t.test('when it is connected again meanwhile, then its new credentials are kept', async (t) => {
      const id = await world.account(platform)
      const http: World['http'] = {
        ...world.http,
        request: async (url, request) => {
          await vault.put(world.workspaceId, id, { accessToken: 'new' })
          return world.http.request(url, request)
        },
      }
      await forgetAccount({ ...world, vault, access: accessOf({ ...world, http }) }, id, causedBy(`forget ${id}`))
      t.same(await vault.find(id), { accessToken: 'new' })
    })
  })
}
