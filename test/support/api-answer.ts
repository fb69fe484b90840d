import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as z from 'zod'
import { ERROR_STATUS } from '../../domain/core/errors.ts'

/** An answer of the API that has been found to keep the contract. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  /** Of an error; else undefined. */
  readonly code: string | undefined
  readonly message: string
  readonly requestId: string
}

export type Conformance = (
  request: { readonly method: string; readonly path: string },
  answer: { readonly statusCode: number; readonly headers: OutgoingHttpHeaders; readonly payload: string },
) => Answer

const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/

/** The envelope of api-spec §7, and beside it just the list of all problems. */
export const envelope = z
  .object({
    error: z
      .object({
        code: z.string().refine((code) => Object.hasOwn(ERROR_STATUS, code)),
        message: z.string().min(1).max(2000),
        requestId: z.string().regex(REQUEST_ID),
        details: z
          .array(z.strictObject({ path: z.string(), message: z.string().min(1) }))
          .min(1)
          .optional(),
      })
      .strict(),
  })
  .strict()

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), z.object({ content: z.object({}).optional() })) })),
  ),
})

interface Operation {
  readonly method: string
  readonly path: RegExp
  /** Of success. */
  readonly status: number
  readonly errors: readonly number[]
  /** Undefined where nothing is answered. */
  readonly validate: (() => ValidateFunction) | undefined
}

/** What any address can answer, as what was sent is no request that could be told from another (decisions, "HTTP"). */
const ANYWHERE = [408, 413, 431]

/**
 * Holds answers against the contract: the envelope and its status on every error, one that the operation is documented to
 * have, the published schema on every success, the headers on all. Throws where an answer breaks it.
 */
export function checkedAnswer(document: object): Conformance {
  const compile = compiler(document)
  const operations = operationsOf(document, compile)
  const isError = compile({ $ref: 'openapi#/components/schemas/Error' })

  return ({ method, path }, { statusCode: status, headers: sent, payload }) => {
    const at = `${method} ${path.slice(0, 200)} -> ${status} ${payload.slice(0, 300)}`
    const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))
    const requestId = headers['x-request-id'] ?? ''
    assert.match(requestId, REQUEST_ID, at)
    assertLimits(headers, at)
    const bodyless = method === 'HEAD' || status === 204
    if (bodyless) assert.equal(payload, '', at)
    if (headers['content-type']?.startsWith('text/csv')) {
      return { status, headers, text: payload, body: {}, code: undefined, message: '', requestId }
    }
    const body = bodyless ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(payload))

    if (status >= 400 && !bodyless && !(path === '/readyz' && status === 503)) {
      assert.match(headers['content-type'] ?? '', /^application\/json/, at)
      const { error } = envelope.parse(body)
      assert.ok(isError(body), at)
      const operation = operationAt(operations, method, path)
      if (operation) assert.ok([...operation.errors, ...ANYWHERE].includes(status), `${at} is not documented`)
      assert.equal(error.requestId, requestId, at)
      assertStatus(error.code, status, at)
      if (error.code === 'rate_limit_exceeded') assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/, at)
      if (status === 405) assert.match(headers['allow'] ?? '', /^[A-Z]+(, [A-Z]+)*$/, at)
      return { status, headers, text: payload, body, code: error.code, message: error.message, requestId }
    }
    const success = operationAt(operations, method, path)
    if (success && status < 400) {
      assert.equal(status, success.status, at)
      if (!bodyless) assert.equal(body['requestId'], requestId, at)
      const validate = success.validate?.()
      if (validate && !validate(body)) {
        assert.fail(`${at} does not keep its schema: ${JSON.stringify(validate.errors)}`)
      }
    }
    return { status, headers, text: payload, body, code: undefined, message: '', requestId }
  }
}

type Compile = (schema: { readonly $ref: string }) => ValidateFunction

/** Compiles each when it is first asked for. */
function compiler(document: object): Compile {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const known = compiled.get(schema.$ref) ?? ajv.compile(schema)
    compiled.set(schema.$ref, known)
    return known
  }
}

function operationAt(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const plain = decodedPath(path)
  const all = operations.filter((known) => known.path.test(plain))
  // A fixed step goes before a parameter, as in the router.
  const fixed = all.filter((known) => !known.path.source.includes('[^/]+'))
  return (fixed.length > 0 ? fixed : all).find((known) => known.method === method)
}

function operationsOf(document: object, compile: Compile): readonly Operation[] {
  const { paths } = documentSchema.parse(document)
  const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => {
      const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? ['', {}]
      const at = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'].map(step)
      return {
        method: method.toUpperCase(),
        path: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        status: Number(status),
        errors: Object.keys(responses).map(Number),
        validate: response.content && (() => compile({ $ref: `openapi#/${at.join('/')}` })),
      }
    }),
  )
}

/** What the table of api-spec §7 says, and the statuses that HTTP has beside it (decisions, "HTTP"). */
function assertStatus(code: string, status: number, at: string): void {
  const beside: Readonly<Record<string, readonly number[]>> = { invalid_request: [408, 413, 431] }
  const listed = Object.entries(ERROR_STATUS)
    .filter(([name]) => name === code)
    .map(([, of]) => of)
  assert.ok([...listed, ...(beside[code] ?? [])].includes(status), at)
}

export function assertLimits(headers: Readonly<Record<string, string>>, at: string): void {
  assert.equal(headers['x-content-type-options'], 'nosniff', at)
  for (const name of ['limit', 'remaining', 'reset']) assert.match(headers[`x-ratelimit-${name}`] ?? '', /^\d+$/, at)
}

function decodedPath(path: string): string {
  const [plain = ''] = path.replace(/^https?:\/\/[^/]*/, '').split('?')
  return URL.canParse(`http://x${plain}`) && !/%(?![0-9a-f]{2})/i.test(plain) ? decodeURI(plain) : plain
}
