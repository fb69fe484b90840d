import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import { acceptedEncodings } from '../http/accepted-encodings.ts'
import { listsTag } from '../http/etag.ts'

/** The dashboard's own files. */
export interface Pages {
  /** Whether a request that matches no route may be for one of them. */
  asks(request: FastifyRequest): boolean
  /** @throws Refusal not_found */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

interface Page {
  readonly type: string
  /** By content encoding; `identity` is always present. */
  readonly bodies: ReadonlyMap<string, { readonly bytes: Buffer; readonly etag: string }>
}

const INDEX = '/index.html'
/** Paths without dashboard pages, so that their errors use the API's envelope. */
const RESERVED =
  /^\/(v1|dashboard\/api|media|uploads|docs|mcp|oauth|\.well-known|connect|channels|healthz|readyz|metrics|openapi\.json)(\/|$)/
/** File names that include a hash of their content. */
const HASHED = /^\/assets\//
const ENCODINGS: Readonly<Record<string, string>> = { '.br': 'br', '.gz': 'gzip' }
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}
const NOT_BUILT = `The dashboard has not been built. The API works without it.

To build it, run this in the service's folder, then reload this page:

  npm ci && npm run build
`

/**
 * `/`: the files below `directory`, and `index.html` for any browser path without a dot, because the page does its own
 * routing. Files are read once and kept in memory: only what was found then is served.
 *
 * @param mediaOrigins allowed origins of images and clips, besides https
 */
export function dashboardPages(directory: string, mediaOrigins: readonly string[]): Pages {
  const media = ["'self'", 'https:', 'data:', 'blob:', ...mediaOrigins].join(' ')
  const policy = [
    "default-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  let found: Promise<ReadonlyMap<string, Page>> | undefined
  const files = async () => {
    found ??= readPages(directory)
    const pages = await found.catch((error: unknown) => {
      found = undefined
      throw error
    })
    // The page may be built while the service runs.
    if (!pages.has(INDEX)) found = undefined
    return pages
  }

  return {
    asks: ({ method, url }) => ['GET', 'HEAD'].includes(method) && !RESERVED.test(pathOf(url)),
    answer: async (request, reply) => {
      const path = pathOf(request.url)
      const pages = await files()
      const isWay = path === '/' || (!path.includes('.') && (request.headers.accept ?? '').includes('text/html'))
      const name = isWay ? INDEX : path
      const page = pages.get(name)
      if (!page && isWay) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
      if (!page) throw new Refusal('not_found', 'No such endpoint.')
      reply.headers({
        'cache-control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        vary: 'accept-encoding',
      })
      return sent(request, reply, page)
    },
  }
}

function sent({ method, headers }: FastifyRequest, reply: FastifyReply, { type, bodies }: Page): FastifyReply {
  const accepted = acceptedEncodings(headers['accept-encoding'])
  const [encoding, body] = [...bodies].find(([name]) => name === 'identity' || accepted.includes(name)) ?? []
  if (!body || encoding === undefined) throw new Error('a page has no body')
  reply.header('etag', body.etag)
  if (listsTag(headers['if-none-match'] ?? '', body.etag, 'weak')) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.type(type).header('content-length', body.bytes.length)
  return reply.send(method === 'HEAD' ? undefined : body.bytes)
}

async function readPages(directory: string): Promise<ReadonlyMap<string, Page>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const contents = new Map<string, Buffer>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    contents.set(`/${relative(directory, file).split(sep).join('/')}`, await readFile(file))
  }
  const pages = new Map<string, Page>()
  for (const [name, bytes] of contents) {
    if (ENCODINGS[extname(name)] !== undefined) continue
    const encoded = Object.entries(ENCODINGS).flatMap(([extension, encoding]) => {
      const smaller = contents.get(name + extension)
      return smaller && smaller.length < bytes.length ? [[encoding, bodyOf(smaller)] as const] : []
    })
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    pages.set(name, { type, bodies: new Map([...encoded, ['identity', bodyOf(bytes)]]) })
  }
  return pages
}

function bodyOf(bytes: Buffer) {
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
}

/** The path as requested: without decoding, it cannot lead to another file. */
function pathOf(url: string): string {
  return url.split(/[?#]/)[0] ?? ''
}
