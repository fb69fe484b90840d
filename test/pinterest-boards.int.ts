import t from 'tap'
import * as z from 'zod'
import { setPostDefaults } from '../commands/set-post-defaults.ts'
import { handle } from '../commands/handle.ts'
import { account } from '../domain/account/account.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { optionsFor } from '../platforms/kit/options-for.ts'
import { pinterest } from '../platforms/pinterest/index.ts'
import { findPost } from '../projections/models/posts.ts'
import { findAccount } from '../projections/models/accounts.ts'
import { connectWithCredentials } from '../reactors/accounts/connect-account.ts'
import { authorizationDepsOf } from './support/api.ts'
import { givenPlatform } from './support/connection.ts'
import { givenAccount } from './support/sandbox.ts'
import { dyingLog } from './support/dying-log.ts'
import { causedBy, givenProcess } from './support/world.ts'

/* Boards belong to posts: an account has a default, and connecting it again sends nothing elsewhere. */

const destinationsSchema = z.object({
  destinations: z.array(
    z.object({ label: z.string(), options: z.object({ boardId: z.string() }), isDefault: z.boolean() }),
  ),
})
const queuedSchema = z.object({ id: z.string() })

async function givenBoards(t: Parameters<typeof givenPlatform>[0]) {
  const scene = await givenPlatform(t, 'pinterest', [{ label: 'ada' }])
  const { world, api } = scene
  const key = await api.key()
  const connectTo = async (choice: number) => {
    const { choose, row } = await scene.connect()
    t.match(await choose(choice), { status: 200, body: /is connected to/ })
    return (await row())?.account_id ?? ''
  }
  const post = (accountId: string, more: object = {}, path = '/v1/posts') =>
    api.call({
      ...{ method: 'POST', path, key },
      body: {
        ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption: 'Hills' },
        ...{ selections: { pinterest: [accountId] }, ...more },
      },
    })
  const posted = async (...asked: Parameters<typeof post>) => queuedSchema.parse((await post(...asked)).body).id
  const process = await givenProcess(world)
  const boards = async (accountId: string) => {
    await process.drain()
    const { destinations } = destinationsSchema.parse(
      (await api.call({ path: `/v1/accounts/${accountId}/destinations`, key })).body,
    )
    return destinations
  }
  return {
    ...{ ...scene, key, connectTo, post, posted, boards, process },
    pins: () => world.sandbox.ledger.posts('pinterest').map(({ details }) => details),
    outcome: async (id: string) => (await findPost(world.db, id))?.results['pinterest'],
  }
}

t.test('given an account with three boards, connected to the first', async (t) => {
  const scene = await givenBoards(t)
  const { world, api, connectTo, post, posted, boards, process, pins, outcome } = scene
  const accountId = await connectTo(0)
  const [trails, huts] = await boards(accountId)
  if (!trails || !huts) throw new Error('there are no boards')

  await t.test('when its boards are listed, then the default is marked', async (t) => {
    t.same(
      (await boards(accountId)).map(({ label, isDefault }) => [label, isDefault]),
      [
        ['Trails', true],
        ['Huts', false],
        ['Fanfare', false],
      ],
    )
  })

  await t.test('when a post names another board, then the Pin is there, with what else it sets', async (t) => {
    const pinterest = { ...huts.options, title: 'A hut', link: 'https://example.com/hut', altText: 'A wooden hut' }
    const id = await posted(accountId, { platformOptions: { pinterest } })
    await process.drain()
    t.match(await outcome(id), [{ ok: true }])
    const { boardId, ...own } = pinterest
    t.match(pins().at(-1), { ...own, boardId, description: 'Hills' })
  })

  await t.test('when the response is lost, then the Pin is found on its own board', async (t) => {
    const lost: FaultScript = {
      ...{ platform: 'pinterest', call: 'publish', kind: 'accept_then_timeout', accepted: true },
      ...{ times: 1, delayMs: 0, retryAfterSeconds: 30 },
    }
    world.sandbox.faults.script(lost)
    const before = pins().length
    const id = await posted(accountId, {
      caption: 'Lost',
      platformOptions: { pinterest: { ...huts.options, title: 'X' } },
    })
    await process.drain()
    t.match(await outcome(id), [{ ok: true }])
    t.equal(pins().length, before + 1)
    t.match(pins().at(-1), { ...huts.options, title: 'X' })
  })

  await t.test(
    'when it is connected again to another board, then posts that name none stay where they went',
    async (t) => {
      const due = world.clock.now() + 3_600_000
      const [date, time] = isoTime(due).slice(0, 16).split('T')
      const later = await posted(accountId, { caption: 'Later', date, time }, '/v1/posts/scheduled')
      t.equal(await connectTo(1), accountId)
      const now = await posted(accountId, { caption: 'Now' })
      await world.clock.advanceTo(due)
      await process.drain()
      for (const id of [later, now]) t.match(await outcome(id), [{ ok: true }])
      t.same(
        new Set(
          pins()
            .slice(-2)
            .map((details) => details?.['boardId']),
        ),
        new Set([trails.options.boardId]),
      )
    },
  )

  await t.test('when the default is changed, then they go there, and the list says so', async (t) => {
    await handle(world, account, accountId, causedBy('default'), (state) => setPostDefaults(state, huts.options))
    t.same(
      (await boards(accountId)).filter(({ isDefault }) => isDefault).map(({ label }) => label),
      ['Huts'],
    )
    const id = await posted(accountId, { caption: 'Elsewhere' })
    await process.drain()
    t.match(await outcome(id), [{ ok: true }])
    t.match(pins().at(-1), huts.options)
  })

  await t.test('when options are wrong, then the error names the field, and nothing is queued', async (t) => {
    for (const [platformOptions, message] of [
      [
        { pinterest: { boardID: '1' } },
        /platformOptions\.pinterest: Unrecognized key: "boardID"\. Did you mean boardId\?/,
      ],
      [{ pinterest: { colour: '1' } }, /platformOptions\.pinterest: Unrecognized key: "colour"$/],
      [{ pinterest: { boardId: 'Huts' } }, /platformOptions\.pinterest\.boardId must be the numeric id/],
      [{ pinterest: { boardSectionId: '1' } }, /platformOptions\.pinterest\.boardId is required with boardSectionId/],
      [{ pinterest: { title: 'x'.repeat(101) } }, /platformOptions\.pinterest\.title must have at most 100 characters/],
      [{ pinterest: { link: 'javascript:alert(1)' } }, /platformOptions\.pinterest\.link must be a URL/],
      [{ youtube: { tag: ['bread'] } }, /platformOptions\.youtube: Unrecognized key: "tag"\. Did you mean tags\?/],
      [{ youtube: { description: 'a > b' } }, /platformOptions\.youtube\.description must not contain < or >/],
      [{ youtube: { title: 'x'.repeat(101) } }, /platformOptions\.youtube\.title must have at most 100 characters/],
      [{ tiktok: { privacyLevel: 'INBOX' } }, /platformOptions\.tiktok\.privacyLevel/],
      [{ pintrest: {} }, /platformOptions: Unrecognized key: "pintrest"\. Did you mean pinterest\?/],
    ] as const) {
      for (const [path, more] of [
        ['/v1/posts', {}],
        ['/v1/posts/preview', {}],
        ['/v1/posts/scheduled', { date: '2099-01-01' }],
      ] as const) {
        const answer = await post(accountId, { platformOptions, ...more }, path)
        t.equal(answer.status, 400)
        t.match(answer, { code: 'invalid_request', message })
      }
    }
  })

  await t.test(
    'when options of accounts are wrong, then the error names the field, and nothing is queued',
    async (t) => {
      for (const [options, message] of [
        [{ acc_unknown: {} }, /accountOptions\.acc_unknown must be the id of an account in selections/],
        [{ [accountId]: { boardID: '1' } }, /: Unrecognized key: "boardID"\. Did you mean boardId\?/],
        [
          { [accountId]: { boardId: 'Huts' } },
          new RegExp(`accountOptions\\.${accountId}\\.boardId must be the numeric id`),
        ],
        [{ [accountId]: 7 }, new RegExp(`accountOptions\\.${accountId}`)],
        [{ acc_blue: { boardId: '1' } }, /accountOptions\.acc_blue: Unrecognized key: "boardId"/],
      ] as const) {
        for (const [path, more] of [
          ['/v1/posts', {}],
          ['/v1/posts/preview', {}],
          ['/v1/posts/scheduled', { date: '2099-01-01' }],
        ] as const) {
          const selections = { pinterest: [accountId], bluesky: ['acc_blue'] }
          const answer = await post(accountId, { selections, accountOptions: options, ...more }, path)
          t.equal(answer.status, 400)
          t.match(answer, { code: 'invalid_request', message })
        }
      }
    },
  )

  await t.test('when a post for two accounts names a board for each, then each Pin goes to its own', async (t) => {
    const other = await givenAccount(world.http, world.sandbox, 'pinterest', { label: 'bea' })
    const otherId = await world.connect('pinterest', other)
    const [, , third] = await boards(accountId)
    const given = {
      selections: { pinterest: [accountId, otherId] },
      platformOptions: { pinterest: { ...trails.options, title: 'For both' } },
      accountOptions: { [accountId]: { ...third?.options, altText: 'Hills in fog' } },
    }
    const { body } = await post(accountId, given, '/v1/posts/preview')
    const shared = { ...trails.options, title: 'For both' }
    t.match(
      z.object({ previews: z.array(z.object({ accountId: z.string(), options: z.unknown() })) }).parse(body).previews,
      [
        { accountId, options: { ...third?.options, title: 'For both', altText: 'Hills in fog' } },
        { accountId: otherId, options: shared },
      ],
    )
    const due = world.clock.now() + 3_600_000
    const [date, time] = isoTime(due).slice(0, 16).split('T')
    const later = await post(accountId, { ...given, caption: 'Later for two', date, time }, '/v1/posts/scheduled')
    t.match(later, { status: 201, body: { accountOptions: given.accountOptions } })
    await posted(accountId, { ...given, caption: 'Now for two' })
    await world.clock.advanceTo(due)
    await process.drain()
    for (const caption of ['Now for two', 'Later for two']) {
      const made = world.sandbox.ledger.posts('pinterest').filter((one) => one.caption === caption)
      const own = made.find((one) => one.accountId !== other.externalId)
      t.match(own?.details, { ...third?.options, title: 'For both', altText: 'Hills in fog' })
    }
  })

  await t.test('when the board does not exist, then the failure says so', async (t) => {
    const id = await posted(accountId, { caption: 'Nowhere', platformOptions: { pinterest: { boardId: '404' } } })
    await process.drain()
    t.match(await outcome(id), [{ ok: false, error: /board/i }])
  })

  await t.test('when another workspace asks for the boards, then they are not shown', async (t) => {
    const stranger = await api.key({ workspaceId: 'ws_stranger' })
    t.equal((await api.call({ path: `/v1/accounts/${accountId}/destinations`, key: stranger })).status, 403)
  })
})

t.test(
  'given options of a platform and of an account, then those that belong together come from one of them',
  async (t) => {
    const shared = { boardId: '1', boardSectionId: '2', title: 'For all' }
    t.same(optionsFor(pinterest, shared, { boardId: '3' }), { boardId: '3', title: 'For all' })
    t.same(optionsFor(pinterest, shared, { link: 'https://example.com' }), { ...shared, link: 'https://example.com' })
    t.same(optionsFor(pinterest, undefined, { boardId: '3' }), { boardId: '3' })
    t.same(optionsFor(pinterest, shared, undefined), shared)
    t.equal(optionsFor(pinterest, undefined, undefined), undefined)
  },
)

t.test('given an account from before boards belonged to posts', async (t) => {
  const { world, owner, connectTo, posted, boards, process, pins } = await givenBoards(t)
  const accountId = await world.connect('pinterest', owner)
  const { boardId } = owner.credentials

  await t.test('when a post names no board, then it goes where the credentials say', async (t) => {
    await process.drain()
    await posted(accountId)
    await process.drain()
    t.match(pins(), [{ boardId }])
    t.match(
      (await boards(accountId)).filter(({ isDefault }) => isDefault),
      [{ options: { boardId } }],
    )
  })

  await t.test('when it is connected to another board, then the first stays its default', async (t) => {
    t.equal(await connectTo(0), accountId)
    await process.drain()
    t.match((await findAccount(world.db, accountId))?.postDefaults, { boardId })
    await posted(accountId, { caption: 'Again' })
    await process.drain()
    t.match(pins()[1], { boardId })
  })
})

for (const nth of [0, 1]) {
  for (const moment of ['before', 'after'] as const) {
    t.test(
      `given an account from then, and a process that dies ${moment} append ${nth} of connecting it to another board`,
      async (t) => {
        const { world, owner, posted, process, pins } = await givenBoards(t)
        const accountId = await world.connect('pinterest', owner)
        await process.drain()
        const { boardId = '' } = owner.credentials
        const credentials = { ...owner.credentials, boardId: boardId.replace(/3$/, '1') }
        const deps = { ...authorizationDepsOf(world), log: dyingLog(world.log, nth, moment) }
        const account = {
          workspaceId: world.workspaceId,
          platform: 'pinterest',
          baseUrl: owner.baseUrl,
          credentials,
        } as const
        await t.rejects(connectWithCredentials(deps, account, causedBy('again')), { message: 'the process is dead' })
        t.not(credentials.boardId, boardId)

        await t.test('when a post names no board, then it goes where it went', async (t) => {
          await posted(accountId)
          await process.drain()
          t.match(pins(), [{ boardId }])
        })
      },
    )
  }
}
