import t, { type Test } from 'tap'
import { linkedin } from '../platforms/linkedin/index.ts'
import { findPost, type PostRow } from '../projections/models/posts.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { linkedinStandIn } from '../packages/sandbox/linkedin.ts'
import type { StandIn } from '../packages/sandbox/stand-in.ts'
import { fused } from './support/fuse.ts'
import { MEMBER, mediaFile, script, scripted } from './support/linkedin.ts'
import { httpServer } from './support/outbound-servers.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { givenProcess, givenWorld, type World } from './support/world.ts'

/** A sandbox whose accounts are one member's. */
const memberStandIn: StandIn = { ...linkedinStandIn, newExternalId: () => MEMBER }

function given(t: Test, standIn: StandIn = linkedinStandIn): Promise<World> {
  const clock = virtualClock(Date.UTC(2026, 8, 10, 12))
  return givenWorld(t, { clock, platforms: { linkedin }, standIns: [standIn] })
}

async function postOf(world: World, id: string): Promise<PostRow> {
  const row = await findPost(world.db, id)
  if (!row) throw new Error(`no post ${id}`)
  return row
}

type Fault = Pick<FaultScript, 'kind'> & Partial<FaultScript>

const published = {
  who: 'a page',
  status: 'published',
  live: 1,
  result: { ok: true, url: /^https:\/\/www\.linkedin\.com\/feed/ },
} as const
const scenarios: readonly {
  readonly who: 'a page' | 'a member'
  readonly name: string
  readonly fault?: Fault
  readonly isDocument?: true
  readonly status: string
  readonly live: number
  readonly result: object
}[] = [
  { name: 'nothing goes wrong: it is live as asked', ...published },
  { ...published, name: 'nothing goes wrong: it is live as asked', who: 'a member' },
  { name: 'the answer is lost: found, not sent again', fault: { kind: 'accept_then_timeout' }, ...published },
  { name: 'it answers 500 and took it: found', fault: { kind: 'server_error', accepted: true }, ...published },
  {
    ...published,
    name: 'the answer for a document is lost: found, not sent again',
    fault: { kind: 'accept_then_timeout' },
    isDocument: true,
  },
  { name: 'it answers 500 and took nothing: sent again', fault: { kind: 'server_error' }, ...published },
  { name: 'the token has expired: renewed', fault: { kind: 'token_expired' }, ...published },
  { name: 'it is over its limit: waited for', fault: { kind: 'rate_limit', retryAfterSeconds: 900 }, ...published },
  {
    who: 'a page',
    name: 'it refuses the post: final, with the reason',
    fault: { kind: 'reject' },
    status: 'publish_failed',
    live: 0,
    result: { ok: false, error: /not allowed/ },
  },
  {
    who: 'a member',
    name: 'the answer is lost: live once, and said to be unknown',
    fault: { kind: 'accept_then_timeout' },
    status: 'publish_failed',
    live: 1,
    result: { ok: false, outcome: 'unknown', error: /The outcome is unknown/ },
  },
]

for (const [who, standIn] of [['a page', linkedinStandIn] as const, ['a member', memberStandIn] as const]) {
  t.test(`given a post of ${who}`, async (t) => {
    const world = await given(t, standIn)
    const service = await givenProcess(world)
    for (const { name, fault, isDocument, status, live, result } of scenarios.filter(
      (scenario) => scenario.who === who,
    )) {
      await t.test(`when ${name}`, async (t) => {
        const accountId = await world.account('linkedin')
        if (fault) script(world, fault)
        const before = world.sandbox.ledger.posts('linkedin').length
        const selections = { linkedin: [accountId] }
        const document = { mediaUrl: `${world.sandbox.url}/media/sample.pdf`, mediaType: 'document' } as const
        const id = await service.queue({
          ...{ selections, caption: 'Hello (all)', hashtags: ['one'] },
          ...(isDocument && document),
        })
        await service.drain()
        const row = await postOf(world, id)
        t.equal(row.status, status)
        t.match(row.results['linkedin'], [{ accountId, ...result }])
        const posts = world.sandbox.ledger.posts('linkedin').slice(before)
        t.equal(posts.length, live)
        for (const { caption } of posts) t.equal(caption, 'Hello (all)\n\n#one')
        t.same(world.sandbox.faults.pending(), [])
      })
    }
  })
}

t.test(
  'given a video that takes long, when the process is another one at every look, then it is uploaded once',
  async (t) => {
    const world = await given(t)
    const host = await httpServer(t, (_request, response) => void response.end(scripted('sample.mp4', 'processing:4')))
    const accountId = await world.account('linkedin')
    const first = await givenProcess(world)
    const media = { mediaUrl: `${host.url}/clip.mp4`, mediaType: 'video' } as const
    const id = await first.queue({ selections: { linkedin: [accountId] }, ...media })
    await first.step()
    let processes = 0
    while ((await postOf(world, id)).status === 'processing' && processes < 20) {
      await world.clock.advanceTo(world.clock.now() + 10_000)
      await (await givenProcess(world)).step()
      processes += 1
    }
    t.equal((await postOf(world, id)).status, 'published')
    t.ok(processes > 1)
    t.equal(host.connections(), 1, 'the media was fetched once')
    t.equal(world.sandbox.ledger.posts('linkedin').length, 1)
  },
)

t.test('given media that LinkedIn cannot process, then the post has failed for that reason', async (t) => {
  const world = await given(t)
  const host = await httpServer(
    t,
    (_request, response) => void response.end(scripted('sample.jpg', 'failed:too blurry')),
  )
  const service = await givenProcess(world)
  const accountId = await world.account('linkedin')
  const id = await service.queue({ selections: { linkedin: [accountId] }, mediaUrl: `${host.url}/a.jpg` })
  await service.drain()
  t.match((await postOf(world, id)).results['linkedin'], [
    { ok: false, error: /could not process the image: too blurry/ },
  ])
})

t.test('given a process that dies at any act, before or after it, then the post is live exactly once', async (t) => {
  const world = await given(t)
  const host = await httpServer(t, (_request, response) => void response.end(mediaFile('sample.jpg')))
  const accountId = await world.account('linkedin')
  const run = async (point?: { act: number; moment: 'before' | 'after' }) => {
    const before = world.sandbox.ledger.posts('linkedin').length
    const queue = { selections: { linkedin: [accountId] }, mediaUrl: `${host.url}/a.jpg` }
    const id = await (await givenProcess(world)).queue(queue)
    const fuse = fused(world, point)
    const mortal = await givenProcess(world, { ...fuse, slots: 1 })
    await mortal.drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world)).drain()
    const where = point ? `${point.moment} ${fuse.acts.at(-1)}` : 'alive'
    t.equal((await postOf(world, id)).status, 'published', where)
    t.equal(world.sandbox.ledger.posts('linkedin').length - before, 1, where)
    return fuse.acts
  }
  const acts = await run()
  t.ok(acts.some((act) => act.endsWith('/rest/posts')))
  for (let act = 0; act < acts.length; act += 1) {
    await run({ act, moment: 'before' })
    await run({ act, moment: 'after' })
  }
})
