import t, { type Test } from 'tap'
import * as z from 'zod'
import { handle } from '../commands/handle.ts'
import type { Vault } from '../infra/postgres/vault.ts'
import { webhookSecrets } from '../infra/postgres/webhook-secrets.ts'
import { delivery, type DeliveryEvent } from '../domain/webhook/delivery.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { projections } from '../projections/models/index.ts'
import { resetTables } from '../projections/engine/tables.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { givenApi, type ApiWorld } from './support/api.ts'
import type { Answer } from './support/api-answer.ts'
import { mortalServer } from './support/mortal-server.ts'
import { httpServer } from './support/outbound-servers.ts'
import { ids } from './support/sandbox.ts'
import { causedBy, givenProcess, vaultOf } from './support/world.ts'

const HOUR = 3_600_000
const WEBHOOK = { url: 'https://shop.example/hook', events: ['post.published', 'post.failed'] }

const listSchema = z.object({ webhooks: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
const deliveriesSchema = z.object({
  deliveries: z.array(z.object({ id: z.string(), event: z.string() }).passthrough()),
  nextCursor: z.string().nullable(),
})
const eventsSchema = z.object({
  events: z.array(z.record(z.string(), z.unknown())),
  nextCursor: z.string(),
})

async function givenWebhooks(t: Test) {
  const api = await givenApi(t)
  const key = await api.key()
  const call = (method: string, path: string, body?: unknown, name?: string) =>
    api.call({ method, path: `/v1${path}`, key, body, headers: name === undefined ? {} : { 'idempotency-key': name } })
  const register = async (more: object = {}) => (await call('POST', '/webhooks', { ...WEBHOOK, ...more })).body
  const list = async (query = '') => listSchema.parse((await call('GET', `/webhooks${query}`)).body)
  const secrets = webhookSecrets(vaultOf(api.world))
  return { api, key, call, register, list, secrets }
}

/** A service with a webhook whose receiver responds as set, and records what it gets. */
async function givenReceiver(t: Test) {
  const given = await givenWebhooks(t)
  const got: { readonly body: unknown; readonly id: unknown }[] = []
  const receiver = { status: 204 }
  const { url } = await httpServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ body: JSON.parse(Buffer.concat(chunks).toString()), id: request.headers['x-service-delivery'] })
      response.writeHead(receiver.status).end('{"secret":"of the receiver"}')
    })
  })
  const service = await givenProcess(given.api.world)
  const { id } = await given.register({ url: `${url}/hook` })
  const deliveries = async (query = '') =>
    deliveriesSchema.parse((await given.call('GET', `/webhooks/${String(id)}/deliveries${query}`)).body)
  /** Two posts, of which one is published. */
  const post = async () => {
    const account = await given.api.world.account('bluesky')
    await service.queue({ selections: { bluesky: [account] } })
    await service.queue({ selections: { bluesky: ['acc_none'] } })
  }
  /** Everything that is due now, and what comes of it at once. */
  const work = async () => {
    while ((await service.step()) > 0);
  }
  return { ...given, id: String(id), got, receiver, service, deliveries, post, work }
}

const bytes = ({ text, requestId }: Answer) => text.replace(requestId, '…')

/** Everything that is kept, as text. */
async function allRows({ world: { db } }: ApiWorld, schemas: readonly string[]): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables where table_schema = any($1)`,
    [schemas],
  )
  const texts = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await db.query<{ text: string }>(`select row_to_json(r)::text as text from ${name} r`)
      return rows.map(({ text }) => text).join('\n')
    }),
  )
  return texts.join('\n')
}

t.test('given POST /webhooks', async (t) => {
  const { call, register, list, secrets, api } = await givenWebhooks(t)
  const { clock } = api.world

  await t.test('when one is registered, then its secret is shown this once', async (t) => {
    const answer = await call('POST', '/webhooks', WEBHOOK)
    const { requestId: _, id, secret, createdAt, ...rest } = answer.body
    t.equal(answer.status, 200)
    t.same(rest, WEBHOOK)
    t.match({ id, secret, createdAt }, { id: /^wh_[0-9A-Z]{26}$/, secret: /^whsec_[A-Za-z0-9+/]{43}=$/ })
    t.same(await secrets.signing(String(id), clock.now()), [secret])
    const shown = { id, ...WEBHOOK, createdAt }
    const { requestId: _list, ...page } = (await call('GET', '/webhooks')).body
    t.same(page, { webhooks: [shown], nextCursor: null }, 'and it is listed at once')
    const { requestId: _one, ...one } = (await call('GET', `/webhooks/${String(id)}`)).body
    t.same(one, shown)
  })

  await t.test('when an event is named twice, then it counts once', async (t) => {
    const { events } = await register({ events: ['reply.sent', 'comment.received', 'reply.sent'] })
    t.same(events, ['reply.sent', 'comment.received'])
  })

  await t.test('when one key is used at once and again, then it is one webhook with one secret', async (t) => {
    const before = (await list()).webhooks.length
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/webhooks', WEBHOOK, 'once')))
    answers.push(await call('POST', '/webhooks', { ...WEBHOOK, url: 'https://other.example/' }, 'once'))
    t.equal(new Set(answers.map(bytes)).size, 1, 'byte for byte')
    t.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 3)
    t.match(answers[0]?.body, { secret: /^whsec_/ })
    t.equal((await list()).webhooks.length, before + 1)
  })

  await t.test('when a field is wrong, then it is named and nothing is kept', async (t) => {
    const before = (await list()).webhooks.length
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ url: undefined }, /^url is required$/],
      [{ url: 5 }, /^url: expected string/],
      [{ url: '' }, /^url must be a URL that begins with http/],
      [{ url: 'shop.example/hook' }, /^url must be a URL/],
      [{ url: 'ftp://shop.example/hook' }, /^url must be a URL/],
      [{ url: 'javascript:alert(1)' }, /^url must be a URL/],
      [{ url: 'https://user:secret@shop.example/' }, /^url must not contain a username or password/],
      [{ url: 'https://user@shop.example/' }, /^url must not contain a username/],
      [{ url: `https://shop.example/${'a'.repeat(2_000)}` }, /^url/],
      [{ url: 'http://10.0.0.1/hook' }, /^url cannot receive deliveries: 10\.0\.0\.1 is not a public address\. Use/],
      [{ url: 'http://[::1]/hook' }, /^url cannot receive deliveries: .* OUTBOUND_ALLOW/],
      [{ url: 'http://2130706434/hook' }, /^url cannot receive deliveries: 127\.0\.0\.2/],
      [{ url: 'https://shop.example:22/' }, /^url cannot receive deliveries: port 22 is not allowed/],
      [
        { url: 'https://nobody.invalid/' },
        /^url cannot receive deliveries: nobody\.invalid has no address\. Check its spelling/,
      ],
      [{ events: undefined }, /^events is required$/],
      [{ events: [] }, /^events must name at least one of post\.published, post\.failed, comment/],
      [{ events: 'post.published' }, /^events: expected array/],
      [{ events: ['post.published', 'post.deleted'] }, /^events\[1\] must be one of post\.published/],
      [{ events: ['webhook.test'] }, /^events\[0\] must be one of/],
      [{ events: [null] }, /^events\[0\]/],
    ]
    for (const [more, message] of wrong) {
      const answer = await call('POST', '/webhooks', { ...WEBHOOK, ...more })
      t.match(answer, { status: 400, code: 'invalid_request', message }, JSON.stringify(more).slice(0, 100))
    }
    t.equal((await list()).webhooks.length, before)
    t.notMatch(await allRows(api, ['log']), 'user:secret')
  })

  await t.test('when there are 50, then there is no other until one is deleted', async (t) => {
    for (let count = (await list('?limit=100')).webhooks.length; count < 50; count += 1) await register()
    t.match(await call('POST', '/webhooks', WEBHOOK, 'too many'), {
      ...{ status: 409, code: 'failed_precondition', message: /has 50 webhooks.*MAX_WEBHOOKS/ },
    })
    const elsewhere = await api.key({ workspaceId: resourceId('ws', ids.ulid()) })
    t.match(await api.call({ method: 'POST', path: '/v1/webhooks', key: elsewhere, body: WEBHOOK }), { status: 200 })
    await call('DELETE', `/webhooks/${(await list()).webhooks[0]?.id}`)
    t.match(await call('POST', '/webhooks', WEBHOOK, 'too many'), { status: 200 })
    const { rows } = await api.world.db.query(`select 1 from service.secrets where id like 'wh_%'`)
    t.equal(rows.length, 51, 'what was refused or deleted has left no secret behind')
  })

  await t.test('when pages are read while one is added, then none is shown twice or left out', async (t) => {
    const whole = (await list('?limit=100')).webhooks.map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`?limit=20${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.webhooks.map(({ id }) => id))
      if (cursor === '') {
        await call('DELETE', `/webhooks/${whole[0]}`)
        await register()
      }
      cursor = page.nextCursor
    }
    t.same(seen, whole)
  })
})

t.test('given a webhook with secrets', async (t) => {
  const { api, key, call, register, secrets } = await givenWebhooks(t)
  const { clock } = api.world
  const shown: string[] = []
  const rotate = async (id: unknown, name?: string) => {
    const answer = await call('POST', `/webhooks/${String(id)}/rotate-secret`, undefined, name)
    t.match(answer, { status: 200, body: { id, secret: /^whsec_/, previousSecretUntil: String } })
    shown.push(String(answer.body['secret']))
    return answer
  }
  const first = (await call('POST', '/webhooks', WEBHOOK, 'register')).body
  const { id } = first
  shown.push(String(first['secret']))

  await t.test('when a key is used again, then it is the same secret', async (t) => {
    const [one, two, three] = [await rotate(id, 'a'), await rotate(id, 'b'), await rotate(id, 'a')]
    t.equal(bytes(three), bytes(one))
    t.not(two.body['secret'], one.body['secret'])
    t.equal((await secrets.signing(String(id), clock.now()))[0], two.body['secret'])
  })

  await t.test('when it is rotated by two at the same moment, then every secret that was shown signs', async (t) => {
    const { id, secret } = await register()
    const vault = vaultOf(api.world)
    let open: () => void = () => undefined
    const bothHaveRead = new Promise<void>((resolve) => (open = resolve))
    let reads = 0
    const find: Vault['find'] = async (of) => {
      const found = await vault.find(of)
      if ((reads += 1) >= 2) open()
      await bothHaveRead
      return found
    }
    const racing = await api.server({ services: { webhookSecrets: webhookSecrets({ ...vault, find }) } })
    const request = { method: 'POST', path: `/v1/webhooks/${String(id)}/rotate-secret`, key }
    const rotated = (await Promise.all([1, 2].map(() => racing.call(request)))).map(({ body }) => body['secret'])
    t.same((await secrets.signing(String(id), clock.now())).toSorted(), [secret, ...rotated].toSorted())
    shown.unshift(String(secret), ...rotated.map(String))
  })

  await t.test('when a first secret is made by several at once, then they are given the same', async (t) => {
    const made = await Promise.all([1, 2, 3].map(() => secrets.create(api.world.workspaceId, 'wh_new')))
    t.equal(new Set(made).size, 1)
    shown.unshift(...made)
  })

  await t.test('when it is rotated again and again, then six secrets sign at the most', async (t) => {
    for (let turn = 0; turn < 8; turn += 1) await rotate(id)
    t.same(await secrets.signing(String(id), clock.now()), shown.slice(-6).reverse())
  })

  await t.test('then no secret is kept in clear text, logged or shown again', async (t) => {
    t.equal((await call('POST', '/webhooks', WEBHOOK, 'register')).body['secret'], first['secret'], 'but to a repeat')
    const answers = [await call('GET', '/webhooks'), await call('GET', `/webhooks/${String(id)}`)]
    const kept = await allRows(api, ['log', 'read', 'service'])
    const remembered = await allRows(api, ['service'])
    t.match(remembered, 'POST /webhooks', 'the answers are remembered')
    const everywhere = [kept, api.logged.join(''), ...answers.map(({ text }) => text)].join('\n')
    t.notMatch(everywhere, 'whsec_')
    for (const secret of shown) {
      const random = secret.replace('whsec_', '')
      const forms = [random, Buffer.from(secret).toString('base64').slice(0, 40), Buffer.from(random).toString('hex')]
      t.same(
        forms.filter((form) => everywhere.includes(form)),
        [],
        'in no form',
      )
    }
    const { rows } = await api.world.db.query<{ body: string }>(
      `select body from service.idempotency_keys where route like 'POST /webhooks%'`,
    )
    t.equal(rows.length, 3)
    t.ok(rows.every(({ body }) => !/wh_|secret|shop/.test(Buffer.from(body, 'base64').toString())))
  })

  await t.test('when it is rotated, then both sign for 24 hours, and then the new one', async (t) => {
    const { id, secret: before } = await register()
    const { body } = await rotate(id)
    const { secret, previousSecretUntil } = body
    const left = Date.parse(String(previousSecretUntil)) - clock.now()
    t.ok(left <= 24 * HOUR && left > 24 * HOUR - 60_000)
    t.same(await secrets.signing(String(id), clock.now()), [secret, before])
    t.match((await call('GET', '/webhooks')).body, { webhooks: [{ id, previousSecretUntil }] })
    await clock.advanceTo(clock.now() + left + 1)
    t.same(await secrets.signing(String(id), clock.now()), [secret])
    t.notOk('previousSecretUntil' in (await call('GET', `/webhooks/${String(id)}`)).body)
  })
})

t.test('given a process that dies while a webhook is registered or its secret rotated', async (t) => {
  const { api, key, call, register, list, secrets } = await givenWebhooks(t)
  const { clock } = api.world
  const mortal = await mortalServer(api)
  const service = await givenProcess(api.world)
  let names = 0

  let firstSecret = ''
  const cases = {
    register: async () => ({ path: '/v1/webhooks', body: WEBHOOK }),
    rotate: async () => {
      const { id, secret } = await register()
      firstSecret = String(secret)
      return { path: `/v1/webhooks/${String(id)}/rotate-secret`, body: undefined }
    },
  }
  for (const [what, prepare] of Object.entries(cases)) {
    await t.test(`when it is to ${what}, then the repeat gives the one secret that signs`, async (t) => {
      mortal.arm()
      const request = async () => ({
        ...(await prepare()),
        ...{ method: 'POST', key, headers: { 'idempotency-key': `death ${(names += 1)}` } },
      })
      await mortal.call(await request())
      const acts = [...mortal.acts]
      t.ok(acts.some((act) => act.startsWith('append')) && acts.length >= 5, acts.join(', '))
      for (let act = 0; act < acts.length; act += 1) {
        for (const moment of ['before', 'after'] as const) {
          const at = `died ${moment} ${acts[act]}`
          const sent = await request()
          mortal.arm({ act, moment })
          await mortal.call(sent)
          await clock.advanceTo(clock.now() + 21_000)
          if (what === 'rotate') {
            const known = await secrets.signing(/wh_\w+/.exec(sent.path)?.[0] ?? '', clock.now())
            t.ok(known.includes(firstSecret), `${at}: the secret that its user knows still signs`)
          }
          const repeat = await api.call(sent)
          t.equal(repeat.status, 200, at)
          t.equal(bytes(await api.call(sent)), bytes(repeat), at)
          const { id, secret } = repeat.body
          const [newest, ...before] = await secrets.signing(String(id), clock.now())
          t.equal(newest, secret, at)
          t.equal(before.length, what === 'rotate' ? 1 : 0, at)
          const events = await api.world.log.read(`webhook-${String(id)}`)
          t.equal(events.length, what === 'rotate' ? 2 : 1, at)
          await call('DELETE', `/webhooks/${String(id)}`)
        }
      }
    })
  }

  await t.test(
    'when a rotation is interrupted before or after its event, then the known secret stays valid',
    async (t) => {
      for (const isWritten of [false, true]) {
        const { id, secret } = await register()
        const of = String(id)
        const { log } = api.world
        const append: EventLog['append'] = async (...event) => {
          if (isWritten) await log.append(...event)
          throw new Error('cut off')
        }
        const dying = await api.server({ services: { log: { ...log, append } } })
        const path = `/v1/webhooks/${of}/rotate-secret`
        t.equal((await dying.call({ method: 'POST', path, key })).status, 500)
        t.match(await secrets.signing(of, clock.now()), [secret, /^whsec_/], 'the one to come signs beside it')
        await clock.advanceTo(clock.now() + 25 * HOUR)
        t.same(await secrets.signing(of, clock.now()), [secret])
        const { body } = await call('POST', `/webhooks/${of}/rotate-secret`)
        await clock.advanceTo(clock.now() + 24 * HOUR - 60_000)
        t.same(await secrets.signing(of, clock.now()), [body['secret'], secret])
        await call('DELETE', `/webhooks/${of}`)
      }
    },
  )

  await t.test('when another rotation comes before the repeat, then it is still the same secret', async (t) => {
    const { id } = await register()
    const of = String(id)
    const now = clock.now()
    const one = await secrets.prepare(of, 'one', now)
    t.equal(await secrets.prepare(of, 'one', now), one)
    const first = await secrets.complete(of, 'one', now)
    t.equal(first?.secret, one)
    await secrets.prepare(of, 'two', now + HOUR)
    const second = await secrets.complete(of, 'two', now + HOUR)
    t.equal(await secrets.prepare(of, 'one', now + 2 * HOUR), one)
    t.same(await secrets.complete(of, 'one', now + 2 * HOUR), first)
    t.same(await secrets.complete(of, 'two', now + 2 * HOUR), second)
    t.same((await secrets.signing(of, now + 2 * HOUR)).slice(0, 2), [second?.secret, one])
    await call('DELETE', `/webhooks/${of}`)
  })

  await t.test('when it is deleted while it is rotated, then there is none', async (t) => {
    const whole = webhookSecrets(vaultOf(api.world))
    for (const act of ['prepare', 'complete'] as const) {
      const { id } = await register()
      const interrupted: typeof whole.prepare & typeof whole.complete = async (...of: [string, string, number]) => {
        t.equal((await call('DELETE', `/webhooks/${String(id)}`)).status, 204)
        return (await whole[act](...of)) as undefined
      }
      const racing = await api.server({ services: { webhookSecrets: { ...whole, [act]: interrupted } } })
      const path = `/v1/webhooks/${String(id)}/rotate-secret`
      t.match(await racing.call({ method: 'POST', path, key }), { status: 404, code: 'not_found' }, act)
      t.same(await secrets.signing(String(id), clock.now()), [])
    }
    const { id } = await register()
    await secrets.remove(String(id))
    t.match(await call('POST', `/webhooks/${String(id)}/rotate-secret`), { status: 409, message: /register it again/ })
  })

  await t.test('when a deletion is cut off, then its repeat takes away the secret', async (t) => {
    const { id } = await register()
    const of = String(id)
    const remove = () => Promise.reject(new Error('cut off'))
    const dying = await api.server({ services: { webhookSecrets: { ...secrets, remove } } })
    t.equal((await dying.call({ method: 'DELETE', path: `/v1/webhooks/${of}`, key })).status, 500)
    t.equal((await secrets.signing(of, clock.now())).length, 1)
    t.match(await call('DELETE', `/webhooks/${of}`), { status: 404 })
    t.same(await secrets.signing(of, clock.now()), [])
  })

  /** Registers under a key; the event is in the log, the answer is lost. */
  const cutOff = async (name: string) => {
    const { log } = api.world
    const append: EventLog['append'] = async (...of) => {
      await log.append(...of)
      throw new Error('the answer is lost')
    }
    const dying = await api.server({ services: { log: { ...log, append } } })
    const sent = { method: 'POST', path: '/v1/webhooks', key, body: WEBHOOK, headers: { 'idempotency-key': name } }
    t.equal((await dying.call(sent)).status, 500)
    await service.step()
    const [{ id } = { id: '' }] = (await list('?limit=1')).webhooks
    return { sent, id }
  }

  await t.test(
    'when its address is refused by the time of the repeat, then it is registered all the same',
    async (t) => {
      const { sent, id } = await cutOff('refused')
      const refusing = await api.server({ services: { refuseAddress: async () => 'It is gone.' } })
      t.match(await refusing.call(sent), { status: 200, body: { id } })
      t.match(await refusing.call({ ...sent, headers: {} }), { status: 400, message: /^url .*: It is gone\.$/ })
    },
  )

  await t.test('when what it registered is deleted before the repeat, then none is made again', async (t) => {
    const { sent, id } = await cutOff('gone')
    t.equal((await call('DELETE', `/webhooks/${id}`)).status, 204)
    t.match(await api.call(sent), { status: 409, message: /was deleted/ })
    t.same(await secrets.signing(id, clock.now()), [])
  })
})

t.test('given a webhook whose receiver works', async (t) => {
  const { call, id, got, service, deliveries, post, register, work } = await givenReceiver(t)

  await t.test('when posts finish, then their deliveries are listed, the newest first', async (t) => {
    await post()
    await service.drain()
    const { body } = await call('GET', `/webhooks/${id}/deliveries`)
    const [last, first] = deliveriesSchema.parse(body).deliveries
    t.match(body, {
      nextCursor: null,
      deliveries: [last, first].map((each) => ({
        ...{ id: each?.id, eventId: /^evt_/, status: 'delivered', attempts: 1, lastError: null, createdAt: String },
        attemptLog: [{ at: String, statusCode: 204, error: null, durationMs: Number }],
      })),
    })
    t.same([first?.event, last?.event].sort(), ['post.failed', 'post.published'])
    t.same(got.map(({ id }) => id).sort(), [first?.id, last?.id].sort())
    t.notOk(JSON.stringify(body).includes('nextAttemptAt'))
  })

  await t.test('when it is tested, then that is delivered as an event of its own', async (t) => {
    const before = got.length
    const answers = [1, 2].map(() => call('POST', `/webhooks/${id}/test`, undefined, 'test'))
    const [answer, again] = await Promise.all(answers)
    t.match(answer, { status: 200, body: { event: 'webhook.test', status: 'pending', attempts: 0, lastError: null } })
    t.equal(again?.text.replace(again.requestId, '…'), answer && bytes(answer))
    const { id: deliveryId, eventId, createdAt, nextAttemptAt } = answer?.body ?? {}
    t.equal(nextAttemptAt, createdAt)
    await work()
    t.equal(got.length, before + 1)
    t.match(got.slice(before), [
      {
        id: deliveryId,
        body: {
          ...{ id: eventId, event: 'webhook.test', createdAt: String },
          data: { webhookId: id, message: 'This is a test: the webhook works.' },
        },
      },
    ])
    t.match((await deliveries('?limit=1')).deliveries, [{ id: deliveryId, status: 'delivered', attempts: 1 }])
  })

  await t.test('when one is sent again, then the same body is sent', async (t) => {
    const { deliveries: all } = await deliveries()
    const { id: deliveryId } = all.at(-1)!
    const path = `/webhooks/${id}/deliveries/${deliveryId}/resend`
    const answers = await Promise.all([1, 2].map(() => call('POST', path, undefined, 'resend')))
    for (const answer of answers) {
      t.match(answer, { status: 200, body: { id: deliveryId, status: 'pending', attempts: 1, nextAttemptAt: String } })
      t.match(answer.body, { attemptLog: [{ statusCode: 204 }] })
    }
    await work()
    const same = got.filter((each) => each.id === deliveryId)
    t.equal(same.length, 2)
    t.same(same[0]?.body, same[1]?.body)
    t.match((await deliveries()).deliveries.at(-1), { id: deliveryId, status: 'delivered', attempts: 2 })
  })

  await t.test('when what is to be sent again is not there, then 404', async (t) => {
    const other = String((await register({ events: ['reply.sent'] }))['id'])
    const [own] = (await deliveries()).deliveries
    for (const [of, deliveryId] of [
      [id, 'dlv_none'],
      [other, own?.id],
      ['wh_none', own?.id],
    ]) {
      const answer = await call('POST', `/webhooks/${of}/deliveries/${deliveryId}/resend`)
      t.match(answer, { status: 404, code: 'not_found' }, `${deliveryId} of ${of}`)
    }
    t.same(deliveriesSchema.parse((await call('GET', `/webhooks/${other}/deliveries`)).body).deliveries, [])
  })

  await t.test('when it is deleted, then it and its secret are gone, and nothing more is sent', async (t) => {
    await post()
    await call('POST', `/webhooks/${id}/test`)
    const before = got.length
    t.equal((await call('DELETE', `/webhooks/${id}`)).status, 204)
    await service.drain()
    t.equal(got.length, before)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['POST', '/deliveries/dlv_none/resend'],
    ] as const) {
      t.match(await call(method, `/webhooks/${id}${path}`), { status: 404, code: 'not_found' }, `${method} ${path}`)
    }
  })
})

t.test('given a webhook whose receiver does not work', async (t) => {
  const { api, call, id, receiver, service, deliveries, post, got, secrets } = await givenReceiver(t)
  const { clock } = api.world
  receiver.status = 500
  await post()

  await t.test('when an attempt has failed, then it shows why and when the next one is', async (t) => {
    for (let steps = 0; got.length < 2 && steps < 20; steps += 1) await service.step()
    const { deliveries: shown } = await deliveries('?status=pending')
    t.equal(shown.length, 2)
    for (const each of shown) {
      t.match(each, { status: 'pending', attempts: 1, lastError: 'HTTP 500', nextAttemptAt: String })
      t.match(each, { attemptLog: [{ statusCode: 500, error: 'HTTP 500' }] })
    }
    t.notMatch(JSON.stringify(shown), /of the receiver/)
  })

  await t.test('when all attempts have failed, then so has the delivery', async (t) => {
    await service.drain()
    t.same((await deliveries('?status=pending')).deliveries, [])
    const { deliveries: shown } = await deliveries('?status=failed')
    t.equal(shown.length, 2)
    for (const each of shown) t.match(each, { status: 'failed', attempts: 7, nextAttemptAt: undefined })
  })

  await t.test('when it is then sent again and arrives, then it keeps what went before', async (t) => {
    receiver.status = 200
    const [one] = (await deliveries()).deliveries
    await call('POST', `/webhooks/${id}/deliveries/${one?.id}/resend`)
    await service.drain()
    const [shown] = (await deliveries('?status=delivered')).deliveries
    t.match(shown, { id: one?.id, status: 'delivered', attempts: 8, lastError: 'HTTP 500' })
    const { attemptLog } = z.object({ attemptLog: z.array(z.object({ statusCode: z.number() })) }).parse(shown)
    t.same(
      attemptLog.map(({ statusCode }) => statusCode),
      [500, 500, 500, 500, 500, 500, 500, 200],
    )
    t.match(await call('GET', `/webhooks/${id}/deliveries?status=cancelled`), {
      ...{ status: 400, message: /^status must be one of pending, delivered, failed$/ },
    })
  })

  await t.test('when there are many attempts, then the latest 50 are shown', async (t) => {
    const { id: deliveryId = '' } = (await deliveries('?status=failed')).deliveries[0] ?? {}
    const tries = Array.from({ length: 60 }, (_, index): DeliveryEvent => ({
      type: 'DeliverySucceeded',
      data: { attempt: index + 8, statusCode: 200 + index, durationMs: 1 },
    }))
    await handle(api.world, delivery, deliveryId, causedBy('many'), () => tries)
    await service.step()
    const [shown] = (await deliveries('?status=delivered')).deliveries.filter((each) => each.id === deliveryId)
    const { attempts, attemptLog } = z
      .object({ attempts: z.number(), attemptLog: z.array(z.object({ statusCode: z.number() })) })
      .parse(shown)
    t.same([attempts, attemptLog.length, attemptLog[0]?.statusCode, attemptLog.at(-1)?.statusCode], [67, 50, 210, 259])
  })

  await t.test('when pages are read while others come, then none is shown twice or left out', async (t) => {
    for (let count = 0; count < 6; count += 1) await call('POST', `/webhooks/${id}/test`)
    const whole = (await deliveries()).deliveries.map((each) => each.id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await deliveries(`?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.deliveries.map((each) => each.id))
      if (cursor === '') await call('POST', `/webhooks/${id}/test`)
      cursor = page.nextCursor
    }
    t.same(seen, whole)
    const other = String((await call('POST', '/webhooks', WEBHOOK)).body['id'])
    const { nextCursor } = await deliveries('?limit=1')
    t.match(await call('GET', `/webhooks/${other}/deliveries?cursor=${nextCursor}`), {
      status: 400,
      message: /^cursor/,
    })
  })

  t.equal((await secrets.signing(id, clock.now())).length, 1)
})

t.test('given GET /events', async (t) => {
  const { api, call, got, service, post } = await givenReceiver(t)
  const events = async (query = '') => eventsSchema.parse((await call('GET', `/events${query}`)).body)

  await t.test('when nothing has happened, then the cursor says where to go on', async (t) => {
    const nothing = await events()
    t.same(nothing.events, [])
    t.same((await events(`?after=${nothing.nextCursor}`)).nextCursor, nothing.nextCursor)
  })
  const { nextCursor: start } = await events()
  for (let posts = 0; posts < 3; posts += 1) {
    await post()
    await service.drain()
  }
  const whole = await events()

  await t.test('when posts have finished, then it lists what webhooks receive, oldest first', async (t) => {
    t.equal(whole.events.length, 6)
    const byId = (list: readonly unknown[]) =>
      new Map(
        z
          .array(z.object({ id: z.string() }).passthrough())
          .parse(list)
          .map((event) => [event.id, event]),
      )
    t.strictSame(byId(whole.events), byId(got.map(({ body }) => body)))
    const times = whole.events.map(({ createdAt }) => String(createdAt))
    t.same(times, times.toSorted())
    t.match(whole.events[0], { id: /^evt_/, data: { runId: /^post_/, results: Object, okCount: Number, total: 1 } })
  })

  await t.test('when it is read page by page, then each is listed once, also later ones', async (t) => {
    const told: unknown[] = []
    let after = start
    for (let turn = 0; turn < 5; turn += 1) {
      const page = await events(`?limit=2&after=${after}`)
      told.push(...page.events)
      after = page.nextCursor
    }
    t.same(told, whole.events)
    t.equal(after, whole.nextCursor)
    await post()
    await service.drain()
    t.equal((await events(`?after=${after}`)).events.length, 2)
  })

  await t.test('when only some kinds are requested, then those are listed', async (t) => {
    const kinds = async (query: string) => (await events(query)).events.map(({ event }) => event)
    const failed = ['post.failed', 'post.failed', 'post.failed', 'post.failed']
    t.same(await kinds('?event=post.failed'), failed)
    t.same(await kinds('?event=post.failed,post.failed&event=reply.sent'), failed)
    t.equal((await kinds('?event=post.failed,post.published')).length, 8)
    t.equal((await kinds('?event=post.failed&event=post.published&limit=7')).length, 7)
    t.same(await kinds('?event=comment.received'), [])
    t.same(await kinds('?event=account.needs_reauth,post.scheduled'), [])
    for (const [query, message] of [
      ['event=post.deleted', /^event\[0\] must be one of post\.published/],
      ['event=', /^event\[0\] must be one of/],
      ['event=reply.sent,webhook.test', /^event\[1\] must be one of/],
      ['limit=0', /^limit must be a whole number from 1 to 100/],
      ['after=nonsense', /^after is not a cursor of this list/],
    ] as const) {
      t.match(await call('GET', `/events?${query}`), { status: 400, code: 'invalid_request', message }, query)
    }
  })

  await t.test('when another workspace asks, then it sees none of them', async (t) => {
    const other = await api.key({ workspaceId: resourceId('ws', ids.ulid()) })
    const { body } = await api.call({ path: '/v1/events', key: other })
    t.same(eventsSchema.parse(body).events, [])
    t.match(await api.call({ path: `/v1/events?after=${start}`, key: other }), { status: 400, message: /^after/ })
    t.match(await call('GET', `/events?after=${String(body['nextCursor'])}`), { status: 400, message: /^after/ })
  })

  await t.test('when the read models are rebuilt, then all is as it was', async (t) => {
    const before = await events()
    const shown = async () => (await call('GET', '/webhooks')).text.replace(/"requestId".*/, '')
    const [webhooks, deliveries] = [await shown(), await allDeliveries(api)]
    await api.stopProjector()
    await resetTables(api.world.db, projections)
    t.equal(await allDeliveries(api), '')
    await service.step()
    t.same(await events(), before)
    t.equal((await events(`?after=${whole.nextCursor}`)).events.length, 2, 'and a cursor of before is good')
    t.equal(await shown(), webhooks)
    t.equal(await allDeliveries(api), deliveries)
  })
})

async function allDeliveries({ world: { db } }: ApiWorld): Promise<string> {
  const { rows } = await db.query<{ text: string }>(
    'select row_to_json(d)::text as text from read.deliveries d order by id',
  )
  return rows.map(({ text }) => text).join('\n')
}
