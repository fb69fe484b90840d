import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { ERROR_STATUS } from '../../domain/errors.ts'

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

/** The envelope of api-spec §7 and nothing beside it. */
export const envelope = z
  .object({
    error: z
      .object({
        code: z.string().refine((code) => Object.hasOwn(ERROR_STATUS, code)),
        message: z.string().min(1).max(2000),
        requestId: z.string().regex(REQUEST_ID),
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

interface Success {
  readonly method: string
  readonly path: RegExp
  readonly status: number
  readonly validate: ValidateFunction | undefined
}

/**
 * Holds answers against the contract: the envelope and its status on every error, the published schema on every success,
 * the headers on all. Throws where an answer breaks it.
 */
export function checkedAnswer(document: object): Conformance {
  const successes = successesOf(document)

  return ({ method, path }, { statusCode: status, headers: sent, payload }) => {
    const at = `${method} ${path.slice(0, 200)} -> ${status} ${payload.slice(0, 300)}`
    const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))
    const requestId = headers['x-request-id'] ?? ''
    assert.match(requestId, REQUEST_ID, at)
    assertLimits(headers, at)
    const bodyless = method === 'HEAD' || status === 204
    if (bodyless) assert.equal(payload, '', at)
    const body = bodyless ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(payload))

    if (status >= 400 && !bodyless && !(path === '/readyz' && status === 503)) {
      assert.match(headers['content-type'] ?? '', /^application\/json/, at)
      const { error } = envelope.parse(body)
      assert.equal(error.requestId, requestId, at)
      assertStatus(error.code, status, at)
      if (error.code === 'rate_limit_exceeded') assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/, at)
      if (status === 405) assert.match(headers['allow'] ?? '', /^[A-Z]+(, [A-Z]+)*$/, at)
      return { status, headers, text: payload, body, code: error.code, message: error.message, requestId }
    }
    const success = successes.find((known) => known.method === method && known.path.test(decodedPath(path)))
    if (success && status < 400) {
      assert.equal(status, success.status, at)
      if (!bodyless) assert.equal(body['requestId'], requestId, at)
      if (success.validate && !success.validate(body)) {
        assert.fail(`${at} does not keep its schema: ${JSON.stringify(success.validate.errors)}`)
      }
    }
    return { status, headers, text: payload, body, code: undefined, message: '', requestId }
  }
}

function successesOf(document: object): readonly Success[] {
  const { paths } = documentSchema.parse(document)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'openapi')
  const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => {
      const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? ['', {}]
      const at = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'].map(step)
      return {
        method: method.toUpperCase(),
        path: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        status: Number(status),
        validate: response.content && ajv.compile({ $ref: `openapi#/${at.join('/')}` }),
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
  for (const name of ['limit', 'remaining', 'reset']) assert.match(headers[`x-ratelimit-${name}`] ?? '', /^\d+$/, at)
}

function decodedPath(path: string): string {
  const [plain = ''] = path.replace(/^https?:\/\/[^/]*/, '').split('?')
  return URL.canParse(`http://x${plain}`) && !/%(?![0-9a-f]{2})/i.test(plain) ? decodeURI(plain) : plain
}
