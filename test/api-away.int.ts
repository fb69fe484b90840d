import t from 'tap'
import { timeLimit } from '../api/http/time-limit.ts'
import { impatientLog } from '../api/kit/impatient-log.ts'
import { post } from '../domain/post/post.ts'
import { streamName } from '../domain/core/event.ts'
import { LogUnavailable, type EventLog } from '../event-log/event-log.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { givenApi, type Call } from './support/api.ts'
import type { Answer } from './support/api-answer.ts'
import { operationsOf, type Operation } from './support/openapi.ts'
import { bodyFor, givenTenant, kindOf, queryOf } from './support/tenants.ts'

const away = async (): Promise<never> => {
  throw new LogUnavailable('ECONNREFUSED')
}
const never = () => new Promise<never>(() => undefined)
/** What happened is told from the log itself. */
const HISTORY = /.\/events$|^\/activity$/

const isBrief = ({ status, code, headers, message }: Answer) => ({
  status,
  code,
  wait: headers['retry-after'],
  says: /^A server that Fanfare depends on cannot be reached\. .*Idempotency-Key/.test(message),
})
const BRIEF = { status: 500, code: 'internal_error', wait: '2', says: true }

t.test('given an event log that is away', async (t) => {
  const api = await givenApi(t)
  const tenant = await givenTenant(api, 'reader')
  const operations = await operationsOf(api)
  const through = (log: EventLog) => api.server({ services: { log } })
  const server = await through({ ...api.world.log, read: away, append: away, head: away })
  const callOf = (operation: Operation): Call => {
    const { method, path, body, required } = operation
    const idOf = (name: string) => tenant.ids[kindOf(path, name)] ?? ''
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idOf(name)))
    return {
      ...{ method, path: `/v1${at}${queryOf(required)}`, key: tenant.key },
      ...(body && { body: bodyFor(operation, tenant, idOf) }),
    }
  }
  const order = {
    mediaUrl: 'https://reader.test/a.jpg',
    mediaType: 'image',
    selections: { x: [tenant.ids['accounts']] },
  }
  const publish = { method: 'POST', path: '/v1/posts', key: tenant.key, body: order }

  await t.test('when anything is read but a history, then it is answered', async (t) => {
    const read = operations.filter(({ method }) => method === 'GET')
    t.ok(read.length > 30)
    for (const operation of read) {
      const answer = await server.call(callOf(operation))
      if (HISTORY.test(operation.path)) t.same(isBrief(answer), BRIEF, operation.name)
      else t.equal(answer.status, operation.status, `${operation.name} ${answer.text.slice(0, 150)}`)
    }
  })

  await t.test('when something is written, then the answer says when to send it again', async (t) => {
    t.same(isBrief(await server.call(publish)), BRIEF)
    const writes = operations.filter(({ name }) => /^(POST|PATCH|DELETE)/.test(name))
    for (const operation of writes) {
      const answer = await server.call(callOf(operation))
      if (answer.status === 500) t.same(isBrief(answer), BRIEF, operation.name)
    }
  })

  await t.test('when the log took a post and never answered, then the same key sends it once', async (t) => {
    const limit = timeLimit(systemClock, 90)
    t.teardown(() => limit.close())
    const deaf: EventLog = {
      ...api.world.log,
      append: async (...events) => {
        await api.world.log.append(...events)
        return never()
      },
    }
    const hanging = await through(impatientLog(deaf, limit))
    const headers = { 'idempotency-key': 'once' }
    t.same(isBrief(await hanging.call({ ...publish, headers })), BRIEF)
    const again = await api.call({ ...publish, headers })
    t.equal(again.status, 202, again.text)
    const posts = await api.call({ path: '/v1/posts', key: tenant.key })
    const found = (posts.body['posts'] as { id: string; mediaUrl: string }[]).filter(
      (it) => it.mediaUrl === order.mediaUrl,
    )
    t.same(
      found.map(({ id }) => id),
      [again.body['id']],
    )
    t.equal((await api.world.log.read(streamName(post, String(again.body['id'])))).length, 1)
  })

  await t.test('when the log hangs, then a read of it ends early', async (t) => {
    const limit = timeLimit(systemClock, 90)
    t.teardown(() => limit.close())
    const hanging = await through(impatientLog({ ...api.world.log, read: never }, limit))
    t.same(isBrief(await hanging.call({ path: `/v1/posts/${tenant.ids['posts']}/events`, key: tenant.key })), BRIEF)
  })
})
