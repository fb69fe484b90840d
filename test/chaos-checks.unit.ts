import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import type { Evidence, Hook } from './chaos/evidence.ts'
import { CALM, faultProxy, HALF_OPEN, PARTITION } from './chaos/fault-proxy.ts'
import { attempt, event, exchange, healthy, THEN } from './chaos/healthy.ts'
import { plan, SERVERS, SERVICES } from './chaos/plan.ts'
import { judge, RULES, type RuleName } from './chaos/rules/index.ts'
import { until } from './support/service-process.ts'

const [hook] = healthy.hooks as readonly [Hook]
const [delivery] = hook.deliveries as [Hook['deliveries'][number]]
const withHook = (change: Partial<Hook>): Partial<Evidence> => ({ hooks: [{ ...hook, ...change }] })
const answered = (...more: Evidence['history']): Partial<Evidence> => ({ history: [...healthy.history, ...more] })
const logged = (...more: Evidence['log']): Partial<Evidence> => ({ log: [...healthy.log, ...more] })
const withRequested = (change: Partial<Evidence['requested']>): Partial<Evidence> => ({
  requested: { ...healthy.requested, ...change },
})
const live = (...more: Evidence['live']): Partial<Evidence> => ({ live: [...healthy.live, ...more] })
const comments = (...more: Evidence['comments']): Partial<Evidence> => ({ comments: [...healthy.comments, ...more] })
const without = <T>(items: readonly T[], index: number): readonly T[] => items.filter((_, nth) => nth !== index)
const LATER = THEN + 600_000

/** By rule, what breaks it. */
const BREACHES: Readonly<Record<RuleName, Readonly<Record<string, Partial<Evidence>>>>> = {
  noDuplicatePost: {
    'a post is live twice': live({ platform: 'x', id: '3', caption: 'a' }),
    'one key has made two posts, and both are live': {
      ...live({ platform: 'x', id: '3', caption: 'a' }),
      ...logged(
        event('post-post_2', 'PostQueued', { origin: 'api', caption: 'a', selections: { x: ['1'] } }),
        event('post-post_2', 'AccountPublished', { platform: 'x' }),
      ),
    },
    'something is live that nobody has queued': live({ platform: 'x', id: '3', caption: 'b' }),
  },
  noLostPost: {
    'a post is not live on one of its accounts': { live: without(healthy.live, 0) },
    'a post is shown as processing': { posts: [{ ...healthy.posts[0]!, status: 'processing' }] },
    'a post is not shown': { posts: [] },
  },
  logTellsWhatIsLive: { 'the log does not know of a post': { log: without(healthy.log, 2) } },
  cancelledStaysUnsent: { 'a cancelled post goes out': live({ platform: 'x', id: '3', caption: 'cancelled' }) },
  firstCommentsOnce: {
    'it is there twice': comments({ platform: 'facebook', id: 'f4', writtenBy: 'account', text: 'first a' }),
    'it is missing': { comments: without(healthy.comments, 0) },
  },
  recycledOnce: {
    'a turn is missing': withRequested({ recycled: new Map([['a', { platform: 'x', rule: 'rule_1', times: 1 }]]) }),
    'a turn is live twice': {
      ...withRequested({ recycled: new Map([['a', { platform: 'x', rule: 'rule_1', times: 1 }]]) }),
      ...logged(event('rule-rule_1', 'Recycled', {})),
      ...live({ platform: 'x', id: '3', caption: 'a' }, { platform: 'x', id: '4', caption: 'a' }),
    },
  },
  repliesOnce: {
    'a comment is answered twice': comments({
      ...{ platform: 'facebook', id: 'f4', writtenBy: 'account', text: 'again', inReplyTo: 'f2' },
    }),
    'an accepted reply is not there': { comments: without(healthy.comments, 2) },
    'a comment never came in': { log: without(healthy.log, 4) },
    'a comment came in twice': logged(event('comment-com_2', 'CommentReceived', { text: 'well?' })),
    'a reply has failed': { replies: [{ id: 'rep_1', status: 'failed', commentId: 'f2' }] },
  },
  nothingStuck: { 'a post is processing after 2 minutes': { stuck: ['post_1'] } },
  noLostAcknowledgement: {
    'an accepted post is not in the log': answered(
      exchange('POST', '/posts', { status: 202, body: { runId: 'post_9' } }),
    ),
    'a cancellation is not in the log': answered(exchange('DELETE', '/scheduled-posts/post_1', { status: 204 })),
  },
  answeredAsAsked: {
    'a request is refused that should not be': withRequested({ disappointments: ['POST /posts: 400'] }),
  },
  oneKeyOneEffect: {
    'a repeat is answered otherwise': answered(
      exchange('POST', '/posts', { key: 'a', status: 202, body: { runId: 'post_2', requestId: 'req_5' } }),
    ),
  },
  noStatusGoesBack: {
    'what was published is processing': answered(
      exchange('GET', '/posts/post_1', { sent: THEN + 60, returned: THEN + 70, body: { status: 'processing' } }),
    ),
    'what was shown is gone': answered(
      exchange('GET', '/posts/post_1', { sent: THEN + 60, returned: THEN + 70, status: 404 }),
    ),
  },
  errorsInTheEnvelope: {
    'an error is a page': answered(exchange('GET', '/posts', { status: 400, body: '<html>' })),
    'an error has another code than its status': answered(
      exchange('GET', '/posts', { status: 400, body: { error: { code: 'not_found', message: 'm', requestId: 'r' } } }),
    ),
  },
  noFailureWithoutCause: {
    'the server fails while all is well': answered(
      exchange('GET', '/posts', { sent: LATER, returned: LATER, status: 500 }),
    ),
  },
  recoversInTime: {
    'the first success comes after 40 s': {
      history: [exchange('GET', '/posts', { sent: THEN + 41_900, returned: THEN + 42_000 })],
    },
    'there is no success at all': { history: [] },
  },
  deliveriesComplete: {
    'a delivery is missing': withHook({ deliveries: [] }),
    'a delivery is one too many': withHook({ deliveries: [delivery, { ...delivery, id: 'dlv_9' }] }),
    'a delivery is pending': withHook({ deliveries: [{ ...delivery, status: 'pending' }] }),
  },
  attemptsGenuine: {
    'a signature is wrong': withHook({
      attempts: [
        attempt(THEN + 100, { headers: { ...attempt(THEN + 100).headers, 'x-service-signature': 'sha256=00' } }),
      ],
    }),
    'a body is another': withHook({ attempts: [attempt(THEN + 100, { body: '{}' })] }),
    'something came that is no delivery': withHook({
      attempts: [attempt(THEN + 100), attempt(THEN + 100, { id: 'dlv_9' })],
    }),
  },
  attemptsCounted: {
    'it came twice, and no fault was near': withHook({ attempts: [attempt(LATER), attempt(LATER + 9_000)] }),
    'an attempt was counted that never came': withHook({ deliveries: [{ ...delivery, attempts: 2 }] }),
    'it failed after three attempts': withHook({
      deliveries: [{ ...delivery, status: 'failed', attempts: 3 }],
      attempts: [0, 1_000, 2_000].map((ms) => attempt(LATER + ms, { status: 500 })),
    }),
    'the second attempt came too soon': withHook({
      deliveries: [{ ...delivery, attempts: 2 }],
      attempts: [attempt(LATER, { status: 500 }), attempt(LATER + 50)],
    }),
    'it came twice at once': withHook({
      deliveries: [{ ...delivery, attempts: 2 }],
      attempts: [attempt(LATER, { status: 500, endedAt: LATER + 900 }), attempt(LATER + 500)],
    }),
  },
  creditsAddUp: {
    'a charge is not in the balance': logged(event('credits-w', 'CreditsCharged', { amount: 1, balance: 9 })),
    'the balance falls below 0': logged(event('credits-w', 'CreditsCharged', { amount: 10, balance: -1 })),
    'another balance is shown': { balance: 8 },
    'a video is charged twice': {
      ledger: [...healthy.ledger, { kind: 'charged', amount: 1, balance: 8, videoId: 'vid_1' }],
    },
  },
  videosSettle: {
    'a video is never ready': { videos: without(healthy.videos, 0) },
    'a failed one is not paid back': { ledger: without(healthy.ledger, 3) },
    'one is not charged': { ledger: without(healthy.ledger, 1) },
    'a clip is begun twice': { jobs: [...healthy.jobs, { key: '3', prompt: 'a cat' }] },
  },
  auditClean: {
    'an outcome has no intent': { audit: { ...healthy.audit, intact: false, faults: ['no intent'], faultCount: 1 } },
  },
  modelsEqualRebuild: { 'a row differs': { differing: ['posts post_1 differs from its rebuild'] } },
  nobodyEndsUnasked: { 'a process has ended': { endedThemselves: ['api ended: 1'] } },
}

t.test('given a run in which all was well, then no rule finds anything', (t) => {
  const found = Object.entries(judge(healthy)).filter(([, broken]) => broken.length > 0)
  t.same(found, [])
  t.end()
})

for (const [name, breaches] of Object.entries(BREACHES)) {
  const rule = RULES[name as RuleName]
  t.test(`the rule that ${rule.name}`, (t) => {
    t.ok(Object.keys(breaches).length > 0)
    for (const [what, change] of Object.entries(breaches)) {
      t.not(rule.broken({ ...healthy, ...change }).length, 0, `is broken when ${what}`)
    }
    t.end()
  })
}

t.test('given what only seems to be wrong, then no rule finds anything', (t) => {
  const cut: Evidence['outages'][number] = {
    ...{ kind: 'kill', what: 'kill', victim: 'reactors 1' },
    from: LATER,
    to: LATER + 2_000,
  }
  const cases: Readonly<Record<string, Partial<Evidence>>> = {
    'a webhook is sent again because a kill has interrupted the attempt': {
      ...withHook({ attempts: [attempt(LATER - 10), attempt(LATER + 31_000)] }),
      outages: [...healthy.outages, cut],
    },
    'a post is processing again because a retry was requested': answered(
      exchange('POST', '/posts/post_1/retry', { sent: THEN + 55, returned: THEN + 56 }),
      exchange('GET', '/posts/post_1', { sent: THEN + 60, returned: THEN + 70, body: { status: 'processing' } }),
    ),
    'a rule has published a post again': {
      ...withRequested({ recycled: new Map([['a', { platform: 'x', rule: 'rule_1', times: 1 }]]) }),
      ...live({ platform: 'x', id: '3', caption: 'a' }),
      ...logged(
        event('rule-rule_1', 'Recycled', {}),
        event('post-post_2', 'PostQueued', { origin: 'recycling', caption: 'a', selections: { x: ['1'] } }),
        event('post-post_2', 'AccountPublished', { platform: 'x' }),
      ),
    },
    'two reads overlap, and the later one to begin is the older one': answered(
      exchange('GET', '/posts/post_1', { sent: THEN + 45, returned: THEN + 70, body: { status: 'processing' } }),
    ),
    'a post may have been cancelled in time': withRequested({ either: ['late'] }),
  }
  for (const [what, change] of Object.entries(cases)) {
    const found = Object.entries(judge({ ...healthy, ...change })).filter(([, broken]) => broken.length > 0)
    t.same(found, [], what)
  }
  t.end()
})

t.test('a plan follows from its seed, and keeps to its numbers', (t) => {
  const options = { seed: 7, ms: 600_000, kills: 200, pauses: 24, networkFaults: 50, servers: SERVERS }
  const faults = plan(options)
  t.same(plan(options), faults)
  t.notSame(plan({ ...options, seed: 8 }), faults)
  t.equal(faults.filter(({ kind }) => kind === 'kill').length, 200)
  t.equal(
    new Set(faults.flatMap(({ kind, victim }) => (kind === 'kill' ? [victim] : []))).size,
    SERVICES.length + SERVERS.length,
    'everybody is killed',
  )
  t.ok(
    faults.some(({ kind, lastsMs }) => kind === 'pause' && lastsMs > 30_000),
    'somebody sleeps longer than a lease',
  )
  const alone = plan({ ...options, servers: ['postgres'] })
  t.same(alone.length, faults.length)
  t.same([...new Set(alone.map(({ victim }) => victim))].toSorted(), ['postgres', ...SERVICES].toSorted())
  t.ok(alone.every((fault) => fault.kind !== 'network' || fault.server === 'postgres'))
  t.end()
})

t.test('the command of the run does without tap, which would end it after 30 s', async (t) => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('chaos/main.ts', import.meta.url))],
    ...{ bundle: true, write: false, metafile: true, packages: 'external', platform: 'node', format: 'esm' },
  })
  const importers = Object.entries(metafile.inputs).filter(([, { imports }]) =>
    imports.some(({ path }) => path === 'tap'),
  )
  t.same(
    importers.map(([file]) => file),
    [],
  )
})

/** A server that says everything back, behind a proxy. */
async function givenEcho(t: Test) {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      heard.push(bytes.toString())
      socket.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await faultProxy((server.address() as AddressInfo).port)
  const call = async () => {
    const socket: Socket = connect(proxy.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const said = { text: '' }
    socket.on('data', (bytes: Buffer) => (said.text += bytes.toString()))
    await once(socket, 'connect')
    t.teardown(() => socket.destroy())
    return { socket, said }
  }
  t.teardown(async () => {
    await proxy.close()
    server.close()
  })
  const hears = (text: string) => until(`"${text}"`, 60_000, async () => (heard.join('') === text ? true : undefined))
  return { proxy, call, hears, heard }
}

t.test('given a network, when it is bad, then what passes is late or lost, and comes when it is calm', async (t) => {
  const { proxy, call, hears, heard } = await givenEcho(t)
  const { socket, said } = await call()
  const says = (text: string) => until(`"${text}"`, 60_000, async () => (said.text === text ? true : undefined))

  socket.write('a')
  await says('a')
  proxy.set(HALF_OPEN)
  socket.write('b')
  await hears('ab')
  t.equal(said.text, 'a', 'half open, the answer is lost')
  proxy.set(PARTITION)
  socket.write('c')
  proxy.set(CALM)
  await says('abc')

  proxy.set({ bytesPerSecond: 20 })
  const began = performance.now()
  socket.write('defg')
  await hears('abcdefg')
  t.ok(performance.now() - began >= 150, 'four bytes at 20 a second take their time')
  t.equal(heard.at(-1), 'g', 'byte by byte')
  proxy.set({ delayMs: 80 })
  await says('abcdefg')
  const sent = performance.now()
  socket.write('h')
  await says('abcdefgh')
  t.ok(performance.now() - sent >= 150, 'delayed on both ways')

  proxy.set(CALM)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  proxy.reset()
  await closed
  const next = await call()
  next.socket.write('i')
  await hears('abcdefghi')
})
