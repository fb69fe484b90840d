import t, { type Test } from 'tap'
import { releaseRestored, restoreStatus } from '../app/cli/restore/restored.ts'
import { handle, load } from '../commands/handle.ts'
import { addRule, requestTurn } from '../commands/recycling-rule.ts'
import { openReply } from '../commands/reply.ts'
import { retryPost } from '../commands/retry-post.ts'
import { schedulePost } from '../commands/schedule-post.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import { post } from '../domain/post/post.ts'
import { recyclingRule } from '../domain/recycling/recycling-rule.ts'
import { reply } from '../domain/conversation/reply.ts'
import { dueAtMoment } from '../domain/post/wall-time.ts'
import { findPost } from '../projections/models/posts.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { givenInbox, MINUTE, PACE, pass } from './support/comments.ts'
import { fused } from './support/fuse.ts'
import { keptLog, searchAll } from './support/restore.ts'
import { ids } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

/*
 * A log that was restored from a backup has forgotten what was published since. Nothing may be published twice, and what was
 * never published must be.
 */

/** All events and acts are tried with FANFARE_TEST_RESTORE=all, else every fourth. */
const EVERY = process.env['FANFARE_TEST_RESTORE'] === 'all' ? 1 : 4
const some = <Item>(items: readonly Item[]) => items.filter((_, index) => index % EVERY === 0)

/** Their platforms do not list what was published, or not all of it. */
const CANNOT_TELL: readonly PlatformKey[] = ['tiktok']

const live = ({ sandbox }: World) =>
  PLATFORM_KEYS.map((platform) => {
    const posts = sandbox.ledger.posts(platform)
    const comments = posts.flatMap(({ id }) => sandbox.ledger.commentsUnder(platform, id))
    return `${platform}: ${posts.length} posts, ${comments.length} comments`
  })

async function wrongResults({ db }: World, posts: readonly string[]): Promise<readonly string[]> {
  const rows = await Promise.all(posts.map((id) => findPost(db, id)))
  return rows.flatMap((row) =>
    Object.entries(row?.results ?? {}).flatMap(([platform, results]) =>
      results
        .filter((one) => !one.ok && !(CANNOT_TELL.includes(platform as PlatformKey) && one.outcome === 'unknown'))
        .map((one) => `${platform}: ${JSON.stringify(one)}`),
    ),
  )
}

async function schedule(world: World, selections: Record<string, string[]>, caption: string): Promise<string> {
  const id = resourceId('post', ids.ulid())
  const content = {
    ...{ workspaceId: world.workspaceId, mediaUrl: `${world.sandbox.url}/media/sample.jpg` },
    ...{ mediaType: 'image' as const, selections, caption, captionOverrides: {}, hashtags: [] },
    platformOptions: { bluesky: { firstComment: `Under ${caption}` } },
  }
  const due = dueAtMoment(isoTime(world.clock.now() + 5 * MINUTE), 'UTC')
  await handle(world, post, id, causedBy(id), (state) => schedulePost(state, content, due, world.clock.now()))
  return id
}

/** A post on each platform, six of them with first comments, a scheduled one, a recycled one, and a reply. */
async function lived(t: Test) {
  const world = await givenWorld(t)
  const service = await givenProcess(world, { pace: PACE })
  const inbox = await givenInbox(world, 'bluesky', service)
  const commentId = await inbox.comment('What does it cost?')
  await pass(world, service, 31 * MINUTE)
  const known = await load(world.log, comment, commentStreamId(inbox.accountId, commentId))
  if (known.status === 'absent') throw new Error('the comment was not fetched')
  const accounts: Record<string, string[]> = {}
  for (const platform of PLATFORM_KEYS) accounts[platform] = [await world.account(platform)]
  const { youtube = [], ...pictured } = accounts
  const begun = await world.log.head()

  const firstComment = 'First!'
  const commented = {
    bluesky: { firstComment },
    linkedin: { firstComment },
    x: { firstComment },
  }
  const image = await service.queue({
    ...{ selections: pictured, caption: 'A picture', firstComment },
    platformOptions: commented,
  })
  const video = await service.queue({
    ...{ selections: { youtube }, caption: 'A film', mediaType: 'video' as const },
    mediaUrl: `${world.sandbox.url}/media/sample.mp4`,
    platformOptions: { youtube: { firstComment } },
  })
  const scheduled = await schedule(world, { bluesky: accounts['bluesky'] ?? [], x: accounts['x'] ?? [] }, 'On time')
  await service.drain()
  const rule = resourceId('rule', ids.ulid())
  const settings = {
    ...{ workspaceId: world.workspaceId, sourcePostId: image, intervalDays: 30, rewriteCaption: false },
    selections: { bluesky: accounts['bluesky'] ?? [] },
  }
  await handle(world, recyclingRule, rule, causedBy(rule), (state) => addRule(state, settings, world.clock.now()))
  await handle(world, recyclingRule, rule, causedBy(`${rule} now`), (state) => requestTurn(state, world.clock.now()))
  const replyId = resourceId('rep', ids.ulid())
  const { workspaceId, accountId, references, text: commentText, platform } = known
  const opened = { workspaceId, platform, accountId, commentId, references, commentText, source: 'api' as const }
  await handle(world, reply, replyId, causedBy(replyId), (state) => openReply(state, opened, { text: 'Nothing.' }))
  await service.drain()
  return { world, inbox, begun, posts: [image, video, scheduled] }
}

t.test('given a service that has lived, when its log is restored to any event of it', async (t) => {
  const { world, inbox, begun, posts } = await lived(t)
  const kept = await keptLog(t, world)
  const once = live(world)
  const answers = await inbox.answers()
  t.equal(answers.length, 1)
  const cuts = kept.positions.filter((position) => position > begun)
  t.ok(cuts.length > 60, `${cuts.length} events`)
  for (const cut of some(cuts)) {
    const restored = await kept.restoreTo(cut)
    const service = await givenProcess(restored)
    t.equal(await service.step(), 0, `${cut}: nothing is done while it is held`)
    await searchAll(restored, service)
    await releaseRestored(service.core, { unknown: 'fail' })
    await service.drain()
    t.same(live(restored), once, `${cut}: nothing was published twice`)
    t.equal((await inbox.answers()).length, 1, `${cut}: nor the reply`)
    t.same(await wrongResults(world, posts), [], `${cut}: all that is live is known to be`)
  }
})

t.test('given a log that is restored to before posts that were never published', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const selections: Record<string, string[]> = {}
  for (const platform of ['bluesky', 'pinterest', 'tiktok'] as const)
    selections[platform] = [await world.account(platform)]
  const id = await service.queue({ selections, caption: 'Not yet' })
  const kept = await keptLog(t, world)
  const restored = await kept.restoreTo(kept.positions.at(-1) ?? 0n)
  const held = await givenProcess(restored)
  const status = () => restoreStatus(held.core)

  await t.test('when the search has not run, then it cannot be released', async (t) => {
    await held.step()
    t.match(await status(), { found: 0, toLookFor: 3, waiting: [] })
    await t.rejects(releaseRestored(held.core, { unknown: 'fail' }), { code: 'failed_precondition' })
  })

  await t.test('when it was looked for, then what waits says what a release does', async (t) => {
    await searchAll(restored, held)
    const { waiting } = await status()
    t.match(
      waiting.map(({ platform, outcome }) => `${platform}: ${outcome}`),
      ['tiktok: unknown', 'bluesky: absent', 'pinterest: absent'],
    )
    t.match(waiting[0], { id, kind: 'publish', workspaceId: world.workspaceId, text: 'Not yet', reason: /\.$/ })
    await t.rejects(releaseRestored(held.core, {}), { code: 'failed_precondition', message: /--unknown fail/ })
  })

  await t.test('when it is released, then what is absent goes, and what is unknown waits for a retry', async (t) => {
    t.same(await releaseRestored(held.core, { unknown: 'fail' }), { released: true, unknown: 1 })
    t.same(await releaseRestored(held.core, {}), { released: false, unknown: 0 })
    await held.drain()
    t.equal(world.sandbox.ledger.posts('bluesky').length, 1)
    t.equal(world.sandbox.ledger.posts('pinterest').length, 1)
    t.equal(world.sandbox.ledger.posts('tiktok').length, 0)
    const row = await findPost(world.db, id)
    t.match(row, { status: 'published', results: { tiktok: [{ ok: false, outcome: 'unknown' }] } })
    await handle(restored, post, id, causedBy('retry'), (state) => retryPost(state, 'tiktok'))
    await held.drain()
    t.equal(world.sandbox.ledger.posts('tiktok').length, 1, 'its owner has it sent')
    t.match(await findPost(world.db, id), { results: { tiktok: [{ ok: true }] } })
  })
})

t.test('given a look that failed, when it is repeated, then it goes back to when the post was queued', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const id = await service.queue({ selections: { pinterest: [await world.account('pinterest')] } })
  const kept = await keptLog(t, world)
  await service.drain()
  const once = live(world)
  await world.clock.advanceTo(world.clock.now() + 10 * MINUTE)
  const restored = await kept.restoreTo(kept.positions.at(-1) ?? 0n)
  const held = await givenProcess(restored)
  await held.step()
  await world.db.query(
    `insert into service.restored_work (id, kind, subject, workspace_id, due_at, outcome, look_at)
     select id, kind, subject, '', $1, 'unreachable', $1 from read.agenda where kind = 'publish'`,
    [isoTime(world.clock.now())],
  )
  await searchAll(restored, held)
  t.same(await releaseRestored(held.core, {}), { released: true, unknown: 0 })
  await held.drain()
  t.same(live(world), once, 'nothing was published twice')
  t.match(await findPost(world.db, id), { status: 'published' })
})

t.test('given a restored log, when the process that looks dies at any act', async (t) => {
  const { world, begun, posts } = await lived(t)
  const kept = await keptLog(t, world)
  const once = live(world)
  /** The post on all platforms is queued, the scheduled one too, and neither is published. */
  const cut = kept.positions.find((position) => position > begun + 2n) ?? 0n
  const search = async (act?: number) => {
    const restored = await kept.restoreTo(cut)
    const fuse = fused(restored, act === undefined ? undefined : { act, moment: 'after' })
    const mortal = await givenProcess(restored, fuse)
    // What is made now is made after the restore.
    await world.clock.advanceTo(world.clock.now() + 1_000)
    await searchAll(restored, mortal).catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    const next = await givenProcess(restored)
    await searchAll(restored, next)
    await releaseRestored(next.core, { unknown: 'fail' })
    await next.drain()
    return fuse.acts
  }
  const acts = await search()
  t.ok(acts.length > 20, `${acts.length} acts`)
  for (const act of some([...acts.keys()])) {
    await search(act)
    t.same(live(world), once, `after act ${act}: nothing was published twice`)
    t.same(await wrongResults(world, posts), [], `after act ${act}: all that is live is known to be`)
  }
})
