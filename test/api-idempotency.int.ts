import t, { type Test } from 'tap'
import { sweepIdempotencyKeys } from '../api/http/idempotency.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { givenApi, type ApiWorld, type Call, type Server } from './support/api.ts'
import type { Answer } from './support/api-answer.ts'
import { mortalServer, type DeathPoint } from './support/mortal-server.ts'
import { givenProcess } from './support/world.ts'

const HOUR = 3_600_000
const aPost = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: ['acc_none'] } }

let keys = 0
const newKey = () => `key ${(keys += 1)}`

const post = (key: string, idempotencyKey: string, body: unknown = aPost): Call => ({
  method: 'POST',
  path: '/v1/posts',
  key,
  body,
  headers: { 'idempotency-key': idempotencyKey },
})

const retry = (key: string, id: string, idempotencyKey: string, platform = 'x'): Call => ({
  method: 'POST',
  path: `/v1/posts/${id}/retry`,
  key,
  body: { platform },
  headers: { 'idempotency-key': idempotencyKey },
})

const replayed = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'
/** The bytes of an answer without what names the request. */
const bytes = ({ text, requestId }: Answer) => text.replace(requestId, '…')

async function eventsOf({ world }: ApiWorld, type: string, id = '%'): Promise<number> {
  const { rows } = await world.db.query<{ count: string }>(
    'select count(*) from log.events where type = $1 and stream like $2',
    [type, `post-${id}`],
  )
  return Number(rows[0]?.count)
}

/** A post whose only account has failed, so that it may be retried. */
async function failedPost(api: ApiWorld): Promise<string> {
  const service = await givenProcess(api.world)
  const id = await service.queue({ selections: { x: ['acc_none'] } })
  await service.drain()
  return id
}

t.test('given 50 requests with one key at once, on two servers', async (t) => {
  const api = await givenApi(t)
  const servers = [api, await api.server()]
  const key = await api.key()

  await t.test('when they queue a post, then there is one post and one answer', async (t) => {
    const call = post(key, newKey())
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => servers[i % 2]!.call(call)))
    t.ok(answers.every(({ status }) => status === 202))
    t.equal(new Set(answers.map(bytes)).size, 1, 'byte for byte except the requestId')
    t.equal(new Set(answers.map(({ requestId }) => requestId)).size, 50)
    t.equal(answers.filter(replayed).length, 49, 'all but the first are marked as replayed')
    t.equal(await eventsOf(api, 'PostQueued'), 1)
  })

  await t.test('when they ask for a retry, then it is asked for once', async (t) => {
    const id = await failedPost(api)
    const call = retry(key, id, newKey())
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => servers[i % 2]!.call(call)))
    t.ok(answers.every(({ status }) => status === 200))
    t.equal(new Set(answers.map(bytes)).size, 1)
    t.equal(answers.filter(replayed).length, 49)
    t.equal(await eventsOf(api, 'RetryRequested', id), 1)
  })
})

t.test('given a process that dies during a request with a key', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const mortal = await mortalServer(api)
  const { clock } = api.world

  /** Repeats a request while the time that a lock lasts goes by. */
  const repeated = async (server: Server, call: Call): Promise<Answer> => {
    const answer = server.call(call)
    await clock.sleep(20)
    await clock.advanceTo(clock.now() + 21_000)
    return answer
  }

  const everyDeath = async (
    t: Test,
    prepare: () => Promise<{ call: Call; check(t: Test, at: string, repeat: Answer): Promise<void> }>,
  ) => {
    mortal.arm()
    const whole = await prepare()
    await mortal.call(whole.call)
    const acts = [...mortal.acts]
    t.comment(acts.join(', '))
    t.ok(acts.filter((name) => name.includes('idempotency_keys')).length === 2, 'the key is taken and the answer kept')
    let deaths = 0
    for (let act = 0; act < acts.length; act += 1) {
      for (const moment of ['before', 'after'] as const) {
        const point: DeathPoint = { act, moment }
        const at = `died ${moment} ${acts[act]}`
        const { call, check } = await prepare()
        mortal.arm(point)
        const first = await mortal.call(call)
        if (mortal.dead()) deaths += 1
        if (first.status < 500) t.equal(mortal.dead(), false, at)
        const repeat = await repeated(api, call)
        t.equal(repeat.status, whole.call.path.endsWith('retry') ? 200 : 202, at)
        await check(t, at, repeat)
        const again = await api.call(call)
        t.equal(bytes(again), bytes(repeat), `${at}: every later repeat gets the same response`)
        t.ok(replayed(again), at)
      }
    }
    t.ok(deaths >= 2 * acts.length - 2, `it died in ${deaths} of ${2 * acts.length} runs`)
  }

  await t.test('when a post is queued, then the repeat finishes the same work under the same id', (t) =>
    everyDeath(t, async () => {
      const before = await eventsOf(api, 'PostQueued')
      return {
        call: post(key, newKey()),
        check: async (t, at, repeat) => {
          t.equal(await eventsOf(api, 'PostQueued'), before + 1, `${at}: one post`)
          t.equal(await eventsOf(api, 'PostQueued', String(repeat.body['id'])), 1, `${at}: the one that was answered`)
        },
      }
    }),
  )

  await t.test('when a retry is asked for, then the repeat is no conflict with the first', (t) =>
    everyDeath(t, async () => {
      const id = await failedPost(api)
      return {
        call: retry(key, id, newKey()),
        check: async (t, at) => void t.equal(await eventsOf(api, 'RetryRequested', id), 1, at),
      }
    }),
  )
})

t.test('given a first request that runs for longer than it may', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const { clock, log } = api.world
  const id = await failedPost(api)
  const call = retry(key, id, newKey())
  let go: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (go = resolve))
  const reached = { yet: false }
  const append: EventLog['append'] = async (...events) => {
    reached.yet = true
    await gate
    return log.append(...events)
  }
  const slow = await api.server({ services: { log: { ...log, append } } })
  const first = slow.call(call)
  while (!reached.yet) await clock.sleep(5)

  await t.test('when a repeat takes over and the first continues, then both get the same response', async (t) => {
    const second = api.call(call)
    await clock.sleep(50)
    await clock.advanceTo(clock.now() + 21_000)
    const overtaking = await second
    t.match(overtaking, { status: 200, body: { status: 'processing' } })
    const service = await givenProcess(api.world)
    await service.drain()
    go()
    const overtaken = await first
    t.match((await api.call({ path: `/v1/posts/${id}`, key })).body, { status: 'publish_failed' })
    t.equal(bytes(overtaken), bytes(overtaking))
    t.equal(await eventsOf(api, 'RetryRequested', id), 1)
  })
})

t.test('given a key that was used', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const { clock } = api.world

  await t.test('when the body differs, then it is the first answer', async (t) => {
    const name = newKey()
    const first = await api.call(post(key, name))
    const others = [
      { ...aPost, caption: 'other' },
      { ...aPost, selections: { a: [], b: [], c: ['d'] } },
    ]
    for (const body of others) {
      const repeat = await api.call(post(key, name, body))
      t.equal(bytes(repeat), bytes(first))
      t.ok(replayed(repeat))
    }
  })

  await t.test('when the first was refused, then the next may do it right', async (t) => {
    const name = newKey()
    t.equal((await api.call(post(key, name, { ...aPost, mediaType: 'gif' }))).status, 400)
    const right = await api.call(post(key, name))
    t.same([right.status, replayed(right)], [202, false])
  })

  await t.test('when the first was in conflict, then it is done once the conflict is over', async (t) => {
    const name = newKey()
    const running = String((await api.call(post(key, newKey()))).body['id'])
    t.equal((await api.call(retry(key, 'post_none', name))).status, 404)
    const early = await api.call(retry(key, running, name))
    t.same([early.status, early.code], [409, 'failed_precondition'])
    const service = await givenProcess(api.world)
    await service.drain()
    const later = await api.call(retry(key, running, name))
    t.same([later.status, replayed(later)], [200, false])
    t.ok(replayed(await api.call(retry(key, running, name))))
  })

  await t.test('when another API key uses the same words, then they are another key', async (t) => {
    const name = newKey()
    const [mine, theirs] = [await api.call(post(key, name)), await api.call(post(await api.key(), name))]
    t.equal(replayed(theirs), false)
    t.not(mine.body['id'], theirs.body['id'])
  })

  await t.test(
    'when it is used for another resource, then it is another call; spelled otherwise it is the same',
    async (t) => {
      const name = newKey()
      const [one, two] = [await failedPost(api), await failedPost(api)]
      t.equal(replayed(await api.call(post(key, name))), false)
      t.equal(replayed(await api.call(retry(key, one, name))), false)
      t.equal(replayed(await api.call(retry(key, two, name))), false)
      const spelled = { ...retry(key, one, name), path: `/v1/%70osts/${one.replace('_', '%5F')}/retry?a=b` }
      t.equal(replayed(await api.call(spelled)), true)
    },
  )

  await t.test('when 24 hours have passed, then it is new', async (t) => {
    const name = newKey()
    const first = await api.call(post(key, name))
    const start = clock.now()
    await clock.advanceTo(start + 24 * HOUR - 60_000)
    await sweepIdempotencyKeys(api.world.db, clock.now())
    t.equal(bytes(await api.call(post(key, name))), bytes(first))
    await clock.advanceTo(start + 24 * HOUR + 1_000)
    const next = await api.call(post(key, name))
    t.equal(replayed(next), false)
    t.not(next.body['id'], first.body['id'])
    await sweepIdempotencyKeys(api.world.db, clock.now() + 24 * HOUR)
    const { rows } = await api.world.db.query('select 1 from service.idempotency_keys')
    t.same(rows, [], 'and what is forgotten is swept')
  })

  await t.test('when it was refused for most of the day, then its answer is still kept for a day', async (t) => {
    const [id, name] = [await failedPost(api), newKey()]
    t.equal((await api.call(retry(key, id, name, 'tiktok'))).status, 400)
    await clock.advanceTo(clock.now() + 23 * HOUR)
    t.equal((await api.call(retry(key, id, name))).status, 200)
    await clock.advanceTo(clock.now() + 23 * HOUR)
    t.ok(replayed(await api.call(retry(key, id, name))))
  })
})

t.test('given keys in every form', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  for (const name of ['a', ' a b ', '~!"#$%&', "'; drop table x", '__proto__', 'a'.repeat(255)]) {
    t.equal((await api.call(post(key, name))).status, 202, `${name.slice(0, 20)} is good`)
  }
  for (const name of ['', 'a'.repeat(256), 'é', 'a\tb']) {
    const { status, message } = await api.call(post(key, name))
    t.equal(status, 400, `${name.slice(0, 20)} is not`)
    t.match(message, /^Idempotency-Key must be 1 to 255 printable ASCII characters$/)
  }
  const { status } = await api.call({ path: '/v1/posts', key, headers: { 'idempotency-key': 'é' } })
  t.equal(status, 200, 'it is ignored where it is not supported')
})
