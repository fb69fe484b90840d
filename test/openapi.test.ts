import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { z } from 'zod'
import { routeTable } from '../api/routes.ts'
import { checkedAnswer } from './support/api-answer.ts'
import { givenApi, idleServices } from './support/api.ts'
import { operationsOf } from './support/openapi.ts'
import { bodyFor, givenTenant, kindOf, queryOf } from './support/tenants.ts'

const operationSchema = z.object({
  operationId: z.string(),
  description: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() })),
  responses: z.record(z.string(), z.object({ headers: z.record(z.string(), z.unknown()) })),
})
const documentSchema = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
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
    await t.test(`then ${method} ${path} tells its scope, parameters, headers and errors`, async (t) => {
      const operation = document.paths[path]?.[method.toLowerCase()]
      t.match(operation?.description, scope)
      const named = (place: string) =>
        operation?.parameters.filter((of) => of.in === place).map(({ name }) => name) ?? []
      t.same(
        named('path'),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      )
      t.equal(named('header').includes('Idempotency-Key'), idempotent)
      t.same(Object.keys(operation?.responses ?? {}).sort(), [String(answer.status), 'default'].sort())
      for (const { headers } of Object.values(operation?.responses ?? {})) {
        t.same(Object.keys(headers).sort(), [
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'X-Request-Id',
        ])
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
    const shown = JSON.stringify(body)
    t.equal(
      shown.split('"required":["requestId"]').length - 1,
      operations.filter(({ status }) => status !== 204).length,
    )
  })

  await t.test('then every endpoint succeeds as its schema says', async (t) => {
    const shared = await givenTenant(api, 'own')
    for (const operation of operations) {
      const { name, method, path, body, status, required } = operation
      // A reply is decided on once.
      const own = path.startsWith('/replies/pending/') ? await givenTenant(api, name) : shared
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
    const error = { code: 'not_found', message: 'a', requestId: 'a' }
    t.equal(conforms(accounts, answer({ error }, 404)).code, 'not_found')
    t.throws(() => conforms(accounts, answer({ error }, 400)), 'a status of another code')
    t.throws(() => conforms(accounts, answer({ error, more: 1 }, 404)), 'more than the envelope')
    t.throws(
      () => conforms(accounts, answer({ error: { ...error, code: 'nonsense' } }, 404)),
      'a code that is not in the table',
    )
    t.throws(
      () => conforms(accounts, answer({ error: { ...error, code: 'rate_limit_exceeded' } }, 429)),
      'no Retry-After',
    )
  })
})
