import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerOptions } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Test } from 'tap'
import { listening, type Listening } from './outbound-servers.ts'
import { authorizationIn, sha256, signatureOf } from './s3-signature.ts'

export const BUCKET = 'clips'
export const REGION = 'eu-central-1'
export const ACCESS_KEY_ID = 'AKIDEXAMPLE0000000'
export const SECRET_ACCESS_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

interface Kept {
  readonly body: Buffer
  readonly etag: string
  readonly type: string
}

export interface S3Server extends Listening {
  /** `<method> <name>` of all requests. */
  readonly calls: readonly string[]
  /** The headers of all requests. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly files: ReadonlyMap<string, Kept>
  /** Puts a file there without a request. */
  keep(name: string, body: Buffer): void
  /** The next request is answered by this; more of them queue up. */
  next(...answers: RequestListener[]): void
}

class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

const SKEW_MS = 15 * 60_000
const CHUNK = 65_536

/**
 * One bucket of an S3 store, as strict as the API reference of Amazon S3 has it: signatures, hashes and clocks are checked,
 * and what is not complete is not kept.
 */
export async function s3Server(t: Test, tls?: ServerOptions): Promise<S3Server> {
  const files = new Map<string, Kept>()
  const calls: string[] = []
  const headers: Readonly<Record<string, string>>[] = []
  const waiting: RequestListener[] = []
  const keep = (name: string, body: Buffer, type = 'binary/octet-stream'): void => {
    files.set(name, { body, type, etag: `"${createHash('md5').update(body).digest('hex')}"` })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const given = headersOf(request)
    const { bucket, name } = addressed(request.url ?? '', given['host'] ?? '')
    authorize(request, given)
    if (bucket !== BUCKET) throw new Refused(404, 'NoSuchBucket')
    if (request.method === 'PUT') {
      keep(name, await bodyOf(request, given), given['content-type'])
      return void response.writeHead(200, { etag: files.get(name)?.etag }).end()
    }
    if (request.method === 'DELETE') {
      files.delete(name)
      return void response.writeHead(204).end()
    }
    const file = files.get(name)
    if (!file) throw new Refused(404, 'NoSuchKey')
    await handOut(file, request, response)
  }

  const listener: RequestListener = (request, response) => {
    calls.push(`${request.method} ${(request.url ?? '').split('/').at(-1)}`)
    headers.push(headersOf(request))
    const instead = waiting.shift()
    if (instead) return void instead(request, response)
    answer(request, response).catch((error: unknown) => {
      if (error instanceof Refused) refuse(error.status, error.code)(request, response)
      else response.destroy()
    })
  }
  const server = await listening(t, tls ? createTlsServer(tls, listener) : createServer(listener))
  return { ...server, calls, headers, files, keep, next: (...answers) => void waiting.push(...answers) }
}

/** An answer of S3 that refuses. */
export function refuse(status: number, code: string, more: Record<string, string> = {}): RequestListener {
  return (request, response) => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`
    response.writeHead(status, { 'content-type': 'application/xml', ...more })
    response.end(request.method === 'HEAD' ? undefined : xml)
  }
}

/** The bucket stands in the path, or in front of the host. */
function addressed(url: string, host: string): { bucket: string; name: string } {
  const parts = url.split('/').slice(1)
  const [bucket = '', name = ''] = parts.length === 2 ? parts : [host.split('.')[0], parts[0]]
  return { bucket, name }
}

function authorize(request: IncomingMessage, headers: Readonly<Record<string, string>>): void {
  const by = authorizationIn(headers['authorization'])
  if (!by) throw new Refused(400, 'AuthorizationHeaderMalformed')
  if (by.accessKeyId !== ACCESS_KEY_ID) throw new Refused(403, 'InvalidAccessKeyId')
  if (by.region !== REGION) throw new Refused(400, 'AuthorizationHeaderMalformed')
  const must = ['host', ...Object.keys(headers).filter((name) => name === 'content-type' || name.startsWith('x-amz-'))]
  if (!must.every((name) => by.signedHeaders.includes(name))) throw new Refused(403, 'AccessDenied')
  const at = timeOf(headers['x-amz-date'] ?? '')
  if (!(Math.abs(at - Date.now()) <= SKEW_MS)) throw new Refused(403, 'RequestTimeTooSkewed')
  const signed = { method: request.method ?? '', path: request.url ?? '', headers }
  if (signatureOf(signed, by, SECRET_ACCESS_KEY) !== by.signature) throw new Refused(403, 'SignatureDoesNotMatch')
}

function timeOf(basic: string): number {
  return Date.parse(basic.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

async function bodyOf(request: IncomingMessage, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  if (headers['content-length'] === undefined) throw new Refused(411, 'MissingContentLength')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (body.length !== Number(headers['content-length'])) throw new Refused(400, 'IncompleteBody')
  const hash = headers['x-amz-content-sha256']
  const isTrusted = hash === 'UNSIGNED-PAYLOAD' && 'encrypted' in request.socket
  if (!isTrusted && hash !== sha256(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch')
  return body
}

async function handOut(file: Kept, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { range, 'if-match': match } = request.headers
  if (match !== undefined && match !== file.etag) throw new Refused(412, 'PreconditionFailed')
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const start = Number(first ?? 0)
  const end = last === undefined ? file.body.length : Math.min(Number(last) + 1, file.body.length)
  if (last !== undefined && start >= file.body.length) throw new Refused(416, 'InvalidRange')
  response.writeHead(last === undefined ? 200 : 206, {
    ...{ etag: file.etag, 'content-type': file.type, 'content-length': end - start, 'accept-ranges': 'bytes' },
    ...(last !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${file.body.length}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  await pipeline(Readable.from(chunksOf(file.body.subarray(start, end)), { objectMode: false }), response)
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK) yield body.subarray(at, at + CHUNK)
}

function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
