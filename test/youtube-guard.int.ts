import t, { type Test } from 'tap'
import { youtube } from '../platforms/youtube/index.ts'
import { findPost } from '../projections/models/posts.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { youtubeStandIn } from '../packages/sandbox/youtube.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { givenProcess, givenWorld, type Process, type World } from './support/world.ts'

const given = (t: Test): Promise<World> => givenWorld(t, { platforms: { youtube }, standIns: [youtubeStandIn] })

function fault(world: World, script: Partial<FaultScript> & Pick<FaultScript, 'kind'>): void {
  world.sandbox.faults.script({
    platform: 'youtube',
    call: 'publish',
    times: 1,
    delayMs: 0,
    retryAfterSeconds: 30,
    accepted: false,
    ...script,
  })
}

function queued(world: World, service: Process, accountId: string, caption = 'A walk'): Promise<string> {
  const mediaUrl = `${world.sandbox.url}/media/sample.mp4`
  const youtube = { playlistId: 'PLwalks', thumbnailUrl: `${world.sandbox.url}/media/sample.jpg` }
  const post = { selections: { youtube: [accountId] }, mediaUrl, mediaType: 'video' as const, caption }
  return service.queue({ ...post, platformOptions: { youtube } })
}

t.test('given YouTube misbehaves', async (t) => {
  const scenarios: readonly {
    readonly name: string
    readonly faults: readonly (Partial<FaultScript> & Pick<FaultScript, 'kind'>)[]
    readonly caption?: string
    readonly live?: number
    readonly result?: object
  }[] = [
    { name: 'nothing goes wrong', faults: [] },
    { name: 'the answer to the last byte is lost', faults: [{ kind: 'accept_then_timeout' }] },
    { name: 'it answers 503 after it took the video', faults: [{ kind: 'server_error', accepted: true }] },
    { name: 'it answers 503 and took nothing', faults: [{ kind: 'server_error', times: 2 }] },
    { name: 'the access has expired', faults: [{ kind: 'token_expired' }] },
    { name: 'the answer to a renewal is lost', faults: [{ kind: 'token_expired' }, { kind: 'slow', call: 'refresh' }] },
    { name: 'it is over its rate limit', faults: [{ kind: 'rate_limit', retryAfterSeconds: 900 }] },
    {
      name: 'the session is forgotten when the answer is lost',
      faults: [{ kind: 'accept_then_timeout' }],
      caption: 'Lost [sandbox forget=1]',
    },
    { name: 'it processes the video for ever', faults: [], caption: '[sandbox processing=1000]' },
    {
      name: 'it rejects the video',
      faults: [],
      caption: '[sandbox rejected=duplicate]',
      result: { ok: false, error: 'YouTube rejected the video: duplicate.', outcome: undefined },
    },
    {
      name: 'it refuses the video',
      faults: [{ kind: 'reject' }],
      live: 0,
      result: { ok: false, error: /may not upload this video/, outcome: undefined },
    },
    {
      name: 'the caption is too long',
      faults: [],
      caption: 'x'.repeat(5_001),
      live: 0,
      result: { ok: false, error: 'YouTube accepts descriptions of at most 5000 bytes; this caption has 5001.' },
    },
  ]
  const world = await given(t)
  const service = await givenProcess(world)
  for (const { name, faults, caption = 'A walk', live = 1, result = { ok: true } } of scenarios) {
    await t.test(`when ${name}, then exactly ${live} video is live`, async (t) => {
      const accountId = await world.account('youtube')
      const before = world.sandbox.ledger.posts('youtube').length
      for (const script of faults) fault(world, script)
      const id = await queued(world, service, accountId, caption)
      await service.drain()
      const row = await findPost(world.db, id)
      t.match(row?.results['youtube'], [{ accountId, ...result }])
      t.equal(row?.status, 'ok' in result && result.ok === true ? 'published' : 'publish_failed')
      const posts = world.sandbox.ledger.posts('youtube').slice(before)
      t.equal(posts.length, live)
      if ('ok' in result && result.ok === true) {
        t.match(row?.results['youtube'], [
          { postId: posts[0]?.id, url: `https://www.youtube.com/watch?v=${posts[0]?.id}` },
        ])
      }
      t.same(world.sandbox.faults.pending(), [])
    })
  }
})

t.test('given a process that dies', async (t) => {
  const world = await given(t)
  const accountId = await world.account('youtube')

  /** Runs a post with a process that dies at the point, then with one that lives; returns what the first one did. */
  const run = async (point?: CrashPoint) => {
    world.sandbox.faults.clear()
    fault(world, { kind: 'accept_then_timeout' })
    const before = world.sandbox.ledger.posts('youtube').length
    const id = await queued(world, await givenProcess(world), accountId)
    const fuse = fused(world, point)
    const mortal = await givenProcess(world, { ...fuse, slots: 1 })
    await mortal.drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world, { slots: 1 })).drain()
    const live = world.sandbox.ledger.posts('youtube').slice(before)
    return { row: await findPost(world.db, id), acts: fuse.acts, live, died: fuse.dead() }
  }

  const both = { thumbnail: { mimeType: 'image/jpeg' }, playlists: { length: 1, 0: { id: 'PLwalks' } } }
  const whole = await run()
  t.equal(whole.died, false)
  t.comment(`${whole.acts.length} acts: ${whole.acts.join(', ')}`)
  for (let act = 0; act < whole.acts.length; act += 1) {
    for (const moment of ['before', 'after'] as const) {
      const at = `died ${moment} ${whole.acts[act]} (${act})`
      const { row, live, died } = await run({ act, moment })
      t.ok(died, at)
      t.equal(live.length, 1, `${at}: live exactly once`)
      t.match(
        world.sandbox.ledger.media('youtube', live[0]?.id ?? '')?.details,
        both,
        `${at}: and in the playlist once`,
      )
      t.match(
        row,
        { status: 'published', results: { youtube: [{ ok: true, postId: live[0]?.id }] } },
        `${at}: and known`,
      )
    }
  }
})
