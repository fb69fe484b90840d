import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { activitySchema } from '../api/v1/activity/activity-schemas.ts'
import { pagesOf, shown } from '../app/cli/activity.ts'
import { csvLine } from '../api/kit/csv.ts'
import {
  ACTIVITY_KINDS,
  ACTIVITY_SCOPES,
  activityKindOf,
  ACTOR_KINDS,
  actorKindOf,
  serviceName,
} from '../domain/log/activity.ts'
import { belongingTo } from '../domain/log/belonging.ts'
import { CATEGORIES } from '../domain/log/event-kinds.ts'
import type { RecordedEvent } from '../domain/core/event.ts'
import { PERMISSIONS, USER_ROLES } from '../domain/workspace/role.ts'
import { START } from '../event-log/event-log.ts'
import { createFold } from '../projections/engine/fold.ts'
import { erased } from '../projections/engine/projection.ts'
import { recentRows } from '../projections/engine/recent-rows.ts'
import { activity, activityId } from '../projections/models/activity.ts'
import { givenApi } from './support/api.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { mcpClient } from './support/mcp.ts'
import { givenTenant } from './support/tenants.ts'
import { givenProcess } from './support/world.ts'

const pageSchema = z.object({ activity: z.array(activitySchema), nextCursor: z.string().nullable() })
type Entry = z.infer<typeof activitySchema>
const aDraft = { caption: 'Nobody else sees this', visibility: 'private' }
const CSV = { accept: 'text/csv' }

t.test('given two workspaces in which everything has happened', async (t) => {
  const api = await givenApi(t)
  const tenant = await givenTenant(api, 'own')
  const other = await givenTenant(api, 'other')
  await givenUser(api, 'ada', tenant.workspaceId)
  const ada = await signIn(api, 'ada')
  const made = await ada.call({
    ...{ method: 'POST', path: '/dashboard/api/keys' },
    body: { label: '=cmd|calc', scopes: ['posts:read', 'posts:write', 'erasures:read'] },
  })
  const agentKey = String(made.body['key'])
  const { call } = await mcpClient(t, await api.listen(), { key: agentKey })
  t.equal((await call('createDraft', aDraft)).error, undefined)
  await ada.call({ method: 'POST', path: '/v1/drafts', body: aDraft })
  await (await givenProcess(api.world)).drain()
  const events = await readUntilCaughtUp(api.world.log, START)
  const eventsOf = (workspaceId: string) => events.filter(belongingTo(workspaceId))

  const list = async (query = '', key = tenant.key): Promise<readonly Entry[]> => {
    const entries: Entry[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/v1/activity?limit=17${query}${cursor && `&cursor=${cursor}`}`
      const answer = await api.call({ path, key })
      if (answer.status !== 200) throw new Error(answer.text)
      const page = pageSchema.parse(answer.body)
      entries.push(...page.activity)
      cursor = page.nextCursor
    }
    return entries
  }
  const all = await list()

  await t.test('then each thing that somebody did in it is there once, newest first, and nothing else', async (t) => {
    for (const { workspaceId, key } of [tenant, other]) {
      const own = eventsOf(workspaceId)
        .filter(({ metadata }) => actorKindOf(metadata.actor) !== 'system')
        .toSorted(newestFirst)
      t.ok(own.length > 20, `${own.length} events`)
      t.same(
        (await list('', key)).map(({ id }) => id),
        own.map(idOf),
      )
    }
  })

  await t.test('then each says who did what in words', (t) => {
    for (const { by, summary, type, subject } of all) {
      t.ok(summary !== type && summary.length > 3, summary)
      t.notMatch(by.name, /^$|^(?:user|acc|ws)_/, type)
      t.not(subject.id, '')
    }
    t.match(all, [{ type: 'DraftSaved', by: { kind: 'user', name: 'ada' }, subject: { link: '/posts' } }])
    t.match(
      all.filter(({ by }) => by.kind === 'agent').map(({ by, type }) => [type, by.name]),
      [['DraftSaved', '=cmd|calc']],
    )
    const created = all.find(({ type, by }) => type === 'ApiKeyCreated' && by.kind === 'user')
    t.match(created, { kind: 'keys', subject: { name: '=cmd|calc', link: '/keys' } })
    t.end()
  })

  await t.test('when it is filtered, then what is left is what the filter says', async (t) => {
    for (const kind of ACTIVITY_KINDS) {
      t.same(
        await list(`&kind=${kind}`),
        all.filter((entry) => entry.kind === kind),
        kind,
      )
    }
    t.same(
      await list('&kind=posts,team&kind=keys'),
      all.filter(({ kind }) => ['posts', 'team', 'keys'].includes(kind)),
    )
    for (const kind of ACTOR_KINDS) {
      t.same(
        await list(`&actor=${kind}`),
        all.filter(({ by }) => by.kind === kind),
        kind,
      )
    }
    t.same(
      await list('&actor=people'),
      all.filter(({ by }) => by.kind !== 'rule'),
    )
    const keyId = String(made.body['id'])
    for (const actor of ['ada', 'ADA', all[0]?.by.id ?? '']) {
      t.same(
        await list(`&actor=${actor}`),
        all.filter(({ by }) => by.name === 'ada'),
        actor,
      )
    }
    for (const actor of [keyId, encodeURIComponent('=cmd|calc')]) {
      t.same(
        await list(`&actor=${actor}`),
        all.filter(({ by }) => by.id === keyId),
        actor,
      )
    }
    const actors = ['user', 'rule', 'test', 'ada', '']
    const times = [...new Set(all.map(({ at }) => at))].toSorted()
    const index = fc.nat(times.length - 1)
    const kinds = fc.subarray([...ACTIVITY_KINDS], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(index, index, kinds, fc.constantFrom(...actors), async (one, two, kinds, actor) => {
        const [from = '', to = ''] = [times[Math.min(one, two)], times[Math.max(one, two)]]
        const found = await list(`&from=${from}&to=${to}&kind=${kinds.join(',')}${actor && `&actor=${actor}`}`)
        const isMeant = ({ kind, at, by }: Entry) =>
          kinds.includes(kind) && at >= from && at <= to && (actor === '' || [by.kind, by.name].includes(actor))
        t.same(
          found.map(({ id }) => id),
          all.filter(isMeant).map(({ id }) => id),
        )
      }),
      { numRuns: 20 },
    )
  })

  await t.test('when it cannot be filtered so, then the error names the field', async (t) => {
    const wrong = {
      'kind=pots': /^kind\[0\] must be one of posts, media/,
      'kind=': /^kind\[0\] must be one of/,
      'from=yesterday': /^from must be a time/,
      'to=2026-13-01T00:00:00Z': /^to must be a time/,
      'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z': /^to must not be before from/,
      'actor=nobody': /^actor must be the name or id of a user or key of the workspace, or people, user/,
      'limit=0': /^limit must be/,
    }
    for (const [query, message] of Object.entries(wrong)) {
      const answer = await api.call({ path: `/v1/activity?${query}`, key: tenant.key })
      t.match(answer, { status: 400, message }, query)
      t.match(await api.call({ path: `/v1/activity?${query}`, key: tenant.key, headers: CSV }), {
        status: 400,
        message,
      })
    }
    const theirs = await api.call({ path: `/v1/activity?actor=${all[0]?.by.id}`, key: other.key })
    t.match(theirs, { status: 400, message: /^actor must/ }, 'the users of another workspace are not known')
  })

  await t.test('when a user of each role reads it, then it is what the role may see', async (t) => {
    for (const role of USER_ROLES) {
      await givenUser(api, `the.${role}`, tenant.workspaceId, role)
      const { call } = await signIn(api, `the.${role}`)
      const may = (kind: Entry['kind']) => PERMISSIONS[role].includes(ACTIVITY_SCOPES[kind])
      for (const kind of ACTIVITY_KINDS) {
        const answer = await call({ path: `/v1/activity?kind=${kind}` })
        t.equal(answer.status, may(kind) ? 200 : 403, `${role} ${kind}`)
      }
      const seen = pageSchema.parse((await call({ path: '/v1/activity?limit=100&actor=people' })).body).activity
      t.ok(seen.length > 5 && seen.every(({ kind }) => may(kind)), role)
    }
    const narrow = await api.key({ workspaceId: tenant.workspaceId, scopes: ['posts:read'] })
    t.same(
      new Set((await list('', narrow)).map(({ kind }) => ACTIVITY_SCOPES[kind])),
      new Set(['posts:read']),
      'a key sees what its scopes show',
    )
  })

  await t.test('then what is private is told to its author alone', async (t) => {
    const texts = async (key: string) => (await list('&kind=posts', key)).map(({ summary }) => summary).join('\n')
    t.match(await texts(agentKey), aDraft.caption)
    t.notMatch(await texts(tenant.key), aDraft.caption)
    t.equal((await texts(agentKey)).split(aDraft.caption).length, 2, 'its own, and not the user’s')
  })

  await t.test('when it is asked for as CSV, then it is the same, and no cell is a formula', async (t) => {
    const answer = await api.call({ path: '/v1/activity?actor=people', key: tenant.key, headers: CSV })
    t.match(answer.headers, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="activity.csv"',
      vary: /Accept/,
    })
    t.equal(answer.headers['x-next-cursor'], undefined)
    const rows: Record<string, string>[] = parse(answer.text, { columns: true })
    const shown = (await list('&actor=people')).map((entry) => [entry.id, entry.by.kind, entry.summary])
    t.same(
      rows.map(({ id, byKind, summary }) => [id, byKind, summary]),
      shown,
    )
    const keys: Record<string, string>[] = rows.filter(({ by }) => by?.includes('cmd'))
    t.ok(keys.length > 0 && keys.every(({ by }) => by === "'=cmd|calc"))
    const now = await list()
    const rest = await api.call({
      path: `/v1/activity?cursor=${(await api.call({ path: '/v1/activity?limit=2', key: tenant.key })).body['nextCursor']}`,
      ...{ key: tenant.key, headers: CSV },
    })
    const left: string[][] = parse(rest.text)
    t.same(
      left.slice(1).map((cells) => cells.at(-1)),
      now.slice(2).map(({ id }) => id),
    )
  })

  await t.test('when the command line is asked, then it has the same, and the texts of private drafts', async (t) => {
    const filters = { workspace: tenant.workspaceId, actor: 'people', kind: 'posts' }
    const { value } = await pagesOf(api.world, filters).next()
    const entries: readonly Entry[] = value ?? []
    t.same(
      entries.map(({ id }) => id),
      (await list('&actor=people&kind=posts')).map(({ id }) => id),
    )
    const lines = shown(entries).split('\n')
    t.equal(lines.length, entries.length)
    t.match(lines[0], /^\S+Z {2}user ada +posts {2}The draft was saved for its author: "Nobody else sees this"\.$/)
    await t.rejects(pagesOf(api.world, { ...filters, kind: 'pots' }).next(), /^kind\[0\] must be one of/)
    await t.rejects(pagesOf(api.world, { ...filters, actor: 'nobody' }).next(), /actor must be/)
  })

  await t.test('when something is done, then it is seen at once', async (t) => {
    for (const n of [1, 2, 3]) {
      const { body } = await api.call({
        method: 'POST',
        path: '/v1/drafts',
        key: tenant.key,
        body: { caption: `${n}` },
      })
      const [newest] = await list()
      t.match(newest, { type: 'DraftSaved', by: { kind: 'key', name: 'test' }, subject: { id: body['id'] } })
    }
  })
})

t.test('given any texts, when they are a line of CSV, then they are read back, without a formula', (t) => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '"', ',', '\r', '\n', '\t') }),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (cells) => {
      const [read = []]: string[][] = parse(csvLine(cells), { record_delimiter: '\r\n' })
      t.ok(read.length === cells.length && read.every((cell, n) => cell === cells[n] || cell === `'${cells[n]}`))
      t.ok(read.every((cell) => !/^[=+\-@\t\r]/.test(cell)))
    }),
  )
  t.end()
})

t.test('then every kind of stream has its activity, but the ring of keys', (t) => {
  t.same(
    CATEGORIES.filter((category) => activityKindOf(category) === undefined),
    ['keyring'],
  )
  t.end()
})

t.test('then every part of the service that acts has a name', async (t) => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folders = ['api', 'commands', 'reactors'].map(async (folder) => {
    const files = await readdir(join(root, folder), { recursive: true })
    return files.filter((file) => file.endsWith('.ts')).map((file) => join(root, folder, file))
  })
  const files = (await Promise.all(folders)).flat()
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const found = texts.flatMap((text) => [...text.matchAll(/(?:kind: 'reactor',\s*id|\bby): '([\w-]+)'/g)])
  const ids = new Set(found.map(([, id = '']) => id))
  t.ok(ids.size > 20, `${ids.size} parts`)
  for (const id of ids) t.not(serviceName(id), id)
  t.equal(serviceName('of tomorrow'), 'of tomorrow')
})

t.test(
  'given an item of an early feed, which names no workspace, then it is activity of that of its feed',
  async (t) => {
    const recorded = (stream: string, revision: number, type: string, data: object): RecordedEvent => ({
      ...{ id: type, stream, revision, type, data, position: BigInt(revision) },
      metadata: {
        ...{ at: '2026-01-01T00:00:00.000Z', actor: { kind: 'reactor', id: 'feed' } },
        ...{ correlationId: 'feed_1', causationId: 'c' },
      },
    })
    const fold = createFold(async () => [], [erased(activity)], recentRows(), 1)
    await fold.take([
      recorded('feed-feed_1', 0, 'FeedAdded', { workspaceId: 'ws_1' }),
      recorded('feed_item-1', 0, 'FeedItemPosted', { feedId: 'feed_1' }),
      recorded('feed-feed_1', 1, 'FeedDeleted', {}),
      recorded('post-post_lost', 1, 'PostFinished', {}),
      recorded('keyring-master', 0, 'MasterKeyRotated', { workspaceId: 'ws_1' }),
    ])
    const [change] = fold.changes()
    t.same(
      change?.created.map((row) => [row.id, (row as { workspaceId?: string }).workspaceId]),
      [
        ['feed-feed_1@0', 'ws_1'],
        ['feed_item-1@0', 'ws_1'],
        ['feed-feed_1@1', 'ws_1'],
      ],
    )
  },
)

function idOf({ position }: RecordedEvent): string {
  return activityId({ position: String(position) })
}

function newestFirst(one: RecordedEvent, other: RecordedEvent): number {
  const [a, b] = [one.metadata.at, other.metadata.at]
  return a === b ? Number(other.position - one.position) : a < b ? 1 : -1
}
