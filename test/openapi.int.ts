import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import createClient from 'openapi-fetch'
import t from 'tap'
import * as z from 'zod'
import { routeTable } from '../api/v1/routes.ts'
import type { paths } from '../packages/client/api.ts'
import { streamKinds } from '../domain/log/event-kinds.ts'
import { bodyOf, DELIVERED_EVENTS, PUBLIC_EVENTS, publicEvents } from '../domain/webhook/public-event.ts'
import { everyEvent } from './golden/every-event.ts'
import { checkedAnswer } from './support/api-answer.ts'
import { givenApi, idleServices } from './support/api.ts'
import { checkedFetch, publishedDocument } from './support/document.ts'
import { operationsOf } from './support/openapi.ts'
import { bodyFor, givenTenant, kindOf, queryOf } from './support/tenants.ts'

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.tuple([z.string()]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ example: z.unknown() }) }) }).optional(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() })),
  responses: z.record(
    z.string(),
    z.union([
      z.object({
        headers: z.record(z.string(), z.unknown()),
        content: z.object({ 'application/json': z.object({ schema: z.unknown(), example: z.unknown() }) }).optional(),
      }),
      z.object({ $ref: z.string() }),
    ]),
  ),
})
const documentSchema = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.object({ headers: z.record(z.string(), z.unknown()) })),
  }),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  webhooks: z.record(z.string(), z.object({ post: operationSchema.pick({ requestBody: true }).required() })),
})

t.test('given the document at /v1/openapi.json', async (t) => {
  const api = await givenApi(t, { publicUrl: 'https://fanfare.test/' })
  const { body } = await api.call({ path: '/v1/openapi.json' })
  const document = documentSchema.parse(body)
  const operations = await operationsOf(api)
  const routes = routeTable(idleServices(api.world))

  await t.test('then it is valid OpenAPI 3.1', async (t) => {
    const validator = new Validator()
    t.same(await validator.validate(structuredClone(body)), { valid: true })
    t.equal(validator.version, '3.1')
    const broken = { ...structuredClone(body), paths: { '/posts': { get: { responses: 'none' } } } }
    t.match(await new Validator().validate(broken), { valid: false }, 'and the validator knows one that is not')
  })

  await t.test('then it shows every route of the table, and no other', async (t) => {
    t.same(operations.map(({ name }) => name).sort(), routes.map(({ method, path }) => `${method} ${path}`).sort())
    t.equal(
      new Set(
        Object.values(document.paths)
          .flatMap(Object.values<z.infer<typeof operationSchema>>)
          .map(({ operationId }) => operationId),
      ).size,
      routes.length,
    )
    t.equal(document.servers[0]?.url, 'https://fanfare.test/v1')
  })

  for (const { method, path, scope, idempotent = false, answer } of routes) {
    await t.test(`then ${method} ${path} has its scope, parameters, headers and errors`, async (t) => {
      const operation = document.paths[path]?.[method.toLowerCase()]
      t.match(operation?.description, scope)
      const named = (place: string) =>
        operation?.parameters.filter((of) => of.in === place).map(({ name }) => name) ?? []
      t.same(
        named('path'),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      )
      t.equal(named('header').includes('Idempotency-Key'), idempotent)
      const statuses = Object.keys(operation?.responses ?? {})
      for (const status of [answer.status, 401, 403, 429, 500, 'default']) t.ok(statuses.includes(String(status)))
      for (const response of Object.values(operation?.responses ?? {})) {
        const { headers } =
          '$ref' in response
            ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? { headers: {} })
            : response
        for (const name of ['Limit', 'Remaining', 'Reset']) t.ok(headers[`X-RateLimit-${name}`])
        t.ok(headers['X-Request-Id'])
      }
    })
  }

  await t.test('then the schema of errors takes what is answered and nothing less', async (t) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(body, 'openapi')
    const isError = ajv.compile({ $ref: 'openapi#/components/schemas/Error' })
    t.ok(isError((await api.call({ path: '/v1/posts' })).body))
    t.notOk(isError({ error: { code: 'nonsense', message: 'a', requestId: 'b' } }))
    t.notOk(isError({ message: 'a' }))
  })

  await t.test('then every success carries its requestId', async (t) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(body, 'openapi')
    const at = 'openapi#/paths/~1accounts/get/responses/200/content/application~1json/schema'
    const isAnswer = ajv.compile({ $ref: at })
    t.ok(isAnswer({ accounts: {}, requestId: 'a', more: 'of a later version' }))
    t.notOk(isAnswer({ accounts: {} }))
    const named = '{"$ref":"#/components/schemas/Answer"}'
    for (const { status, answer } of operations) {
      if (status !== 204) t.ok(JSON.stringify(answer).includes('"requestId"') || JSON.stringify(answer).includes(named))
    }
  })

  await t.test('then each of its tags is described, and each operation has one', async (t) => {
    const tags = document.tags.map(({ name }) => name)
    t.same([...new Set(routes.map(({ tag }) => tag))].sort(), [...tags].sort())
  })

  await t.test('then every example is one that the API takes or answers', async (t) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(body, 'openapi')
    for (const { method, path, body: taken, answer } of routes) {
      const operation = document.paths[path]?.[method.toLowerCase()]
      const sent = operation?.requestBody?.content['application/json'].example
      if (taken) t.match(taken.safeParse(sent), { success: true }, `${method} ${path} ${JSON.stringify(sent)}`)
      const response = operation?.responses[answer.status]
      const content = response && 'content' in response ? response.content?.['application/json'] : undefined
      if (!answer.schema) continue
      const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
      const at = [
        'paths',
        path,
        method.toLowerCase(),
        'responses',
        String(answer.status),
        'content',
        'application/json',
      ]
      const isAnswer = ajv.compile({ $ref: `openapi#/${[...at, 'schema'].map(step).join('/')}` })
      t.ok(isAnswer(content?.example), `${method} ${path} ${JSON.stringify([content?.example, isAnswer.errors])}`)
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const { examples = [] } = z.object({ examples: z.array(z.unknown()).optional() }).parse(schema)
      const isOne = ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
      for (const example of examples) t.ok(isOne(example), `${name} ${JSON.stringify(isOne.errors)}`)
    }
  })

  await t.test('then every event that webhooks receive is in it, as it is sent', async (t) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(body, 'openapi')
    const contentOf = (event: string) => document.webhooks[event]?.post.requestBody.content['application/json']
    const isSent = (event: string, value: unknown) =>
      ajv.validate(`openapi#/webhooks/${event}/post/requestBody/content/application~1json/schema`, value)
    t.same(Object.keys(document.webhooks).toSorted(), DELIVERED_EVENTS.toSorted())
    for (const event of DELIVERED_EVENTS) t.ok(isSent(event, contentOf(event)?.example), `the example of ${event}`)
    const sent = everyEvent(streamKinds).flatMap(({ stream, revision, event }) =>
      publicEvents({ ...event, stream, revision, position: 0n }),
    )
    for (const one of sent) t.ok(isSent(one.event, JSON.parse(bodyOf(one))), bodyOf(one))
    // No post of that history is partly published; the body would be that of post.published.
    const expected = PUBLIC_EVENTS.filter((event) => event !== 'post.partially_failed')
    t.same([...new Set(sent.map(({ event }) => event))].toSorted(), expected.toSorted())
    t.notOk(isSent('post.scheduled', { ...Object(contentOf('post.scheduled')?.example), data: {} }))
  })

  await t.test('then it is the document that the types of the client are generated from', async (t) => {
    const { paths, components } = publishedDocument
    t.same({ paths, components }, { paths: body['paths'], components: body['components'] })
  })

  await t.test('then a client made of these types talks to the API', async (t) => {
    const port = await api.listen()
    const client = createClient<paths>({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      headers: { Authorization: `Bearer ${await api.key()}` },
      fetch: async (request) => checkedFetch(request.url, { method: request.method, headers: request.headers }),
    })
    const { data } = await client.GET('/posts', { params: { query: { limit: 1 } } })
    t.same(data?.posts, [])
    const { error } = await client.GET('/posts/{id}', { params: { path: { id: 'post_none' } } })
    t.equal(error?.error.code, 'not_found')
  })

  await t.test('then every endpoint succeeds as its schema says', async (t) => {
    const shared = await givenTenant(api, 'own')
    for (const operation of operations) {
      const { name, method, path, body, status, required } = operation
      // A reply and an approval are decided on once, a draft becomes one post, and an erased workspace ends.
      const isLast = /^\/(replies\/pending|(drafts|approvals)\/\{id\})\/|^\/erasures\/workspace$/.test(path)
      const own = isLast ? await givenTenant(api, name.replace(/\W/g, '')) : shared
      const idOf = (field: string) => own.ids[kindOf(path, field)]
      const answer = await api.call({
        method,
        path: `/v1${path.replace(/\{(\w+)\}/g, (_, parameter: string) => idOf(parameter) ?? '')}${queryOf(required)}`,
        key: own.key,
        ...(body && { body: bodyFor(operation, own, idOf) }),
      })
      // The helper that made the call has held the answer against the schema.
      t.equal(answer.status, status, name)
    }
  })

  await t.test('then an answer that does not keep it would have been noticed', async (t) => {
    const conforms = checkedAnswer(body)
    const headers = {
      'x-request-id': 'a',
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': 1,
      'x-ratelimit-remaining': 1,
      'x-ratelimit-reset': 1,
      'content-type': 'application/json',
    }
    const answer = (answer: object, statusCode = 200) => ({ statusCode, headers, payload: JSON.stringify(answer) })
    const accounts = { method: 'GET', path: '/v1/accounts' }
    t.equal(conforms(accounts, answer({ accounts: {}, requestId: 'a' })).status, 200)
    for (const wrong of [
      { requestId: 'a' },
      { accounts: {} },
      { accounts: {}, requestId: 'b' },
      { accounts: { x: [{ id: 1, label: '' }] }, requestId: 'a' },
      { accounts: { myspace: [] }, requestId: 'a' },
    ]) {
      t.throws(() => conforms(accounts, answer(wrong)), JSON.stringify(wrong))
    }
    t.throws(() => conforms(accounts, answer({ accounts: {}, requestId: 'a' }, 201)), 'another status')
    t.throws(
      () => conforms(accounts, { ...answer({ accounts: {}, requestId: 'a' }), headers: { 'x-request-id': 'a' } }),
      'no limits',
    )
    const error = { code: 'forbidden', message: 'a', requestId: 'a' }
    t.equal(conforms(accounts, answer({ error }, 403)).code, 'forbidden')
    t.throws(() => conforms(accounts, answer({ error }, 400)), 'a status of another code')
    const conflict = answer({ error: { ...error, code: 'failed_precondition' } }, 409)
    t.throws(() => conforms(accounts, conflict), 'a status that the operation is not documented to have')
    t.throws(() => conforms(accounts, answer({ error, more: 1 }, 403)), 'more than the envelope')
    t.throws(
      () => conforms(accounts, answer({ error: { ...error, code: 'nonsense' } }, 403)),
      'a code that is not in the table',
    )
    t.throws(
      () => conforms(accounts, answer({ error: { ...error, code: 'rate_limit_exceeded' } }, 429)),
      'no Retry-After',
    )
  })
})

t.test('given the page at /docs', async (t) => {
  const api = await givenApi(t, { projecting: false })

  await t.test('then all that it asks for is there, and comes from nowhere else', async (t) => {
    const page = await api.app.inject('/docs')
    t.equal(page.statusCode, 200)
    t.match(page.headers['content-security-policy'], /^default-src 'none'; script-src 'self'; style-src 'self';/)
    const asked = [...page.payload.matchAll(/(?:src|href)="(docs[^"]+)"/g)].map(([, path = '']) => `/${path}`)
    t.equal(asked.length, 4)
    t.notMatch(page.payload, /https?:/)
    for (const url of asked) {
      const plain = await api.app.inject(url)
      t.equal(plain.statusCode, 200, url)
      t.match(plain.headers['content-type'], url.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
      const small = await api.app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
      t.same([small.headers['content-encoding'], gunzipSync(small.rawPayload)], ['gzip', plain.rawPayload])
      const known = await api.app.inject({ url, headers: { 'if-none-match': String(plain.headers['etag']) } })
      t.same([known.statusCode, known.payload], [304, ''])
    }
  })

  await t.test('then there is no way to other files', async (t) => {
    for (const path of ['/docs/package.json', '/docs/..%2Fpackage.json', '/docs/constructor', '/docs/']) {
      t.equal((await api.call({ path })).code, 'not_found', path)
    }
    t.equal((await api.call({ method: 'POST', path: '/docs' })).code, 'method_not_allowed')
  })
})
