import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import { acceptedEncodings } from '../http/accepted-encodings.ts'
import { listsTag } from '../http/etag.ts'
import { otherMethods } from '../http/methods.ts'

export const REFERENCE_PATH = '/docs'
const library = createRequire(import.meta.url)
const JAVASCRIPT = 'text/javascript; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
/** The page's files, by the name in the URL. */
const FILES = {
  'start.js': { file: join(packageRoot(), 'api/ops/reference/start.js'), type: JAVASCRIPT },
  'page.css': { file: join(packageRoot(), 'api/ops/reference/page.css'), type: CSS },
  'swagger-ui-bundle.js': { file: library.resolve('swagger-ui-dist/swagger-ui-bundle.js'), type: JAVASCRIPT },
  'swagger-ui.css': { file: library.resolve('swagger-ui-dist/swagger-ui.css'), type: CSS },
} as const
type Name = keyof typeof FILES

/** Revalidated each time by ETag, so that an update shows at once. */
const CACHE_CONTROL = 'no-cache'
/** Everything is loaded from here, requests go only here, and the page cannot be framed. Images are inlined in the CSS. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Fanfare API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="stylesheet" href="docs/page.css" />
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" type="module"></script>
  </head>
  <body>
    <div id="reference">
      <noscript>This page requires JavaScript. The API as a document: <a href="v1/openapi.json">OpenAPI</a></noscript>
    </div>
  </body>
</html>
`

interface Shown {
  readonly content: Buffer
  readonly compressed: Buffer
  readonly etag: string
}

/** `/docs`: the API reference for people, rendered from the OpenAPI document. */
export function referenceRoutes(app: FastifyInstance): void {
  const known = new Map<Name, Promise<Shown>>()
  const shownOf = (name: Name): Promise<Shown> => {
    const shown = known.get(name) ?? read(FILES[name].file)
    known.set(name, shown)
    return shown
  }

  app.get(REFERENCE_PATH, (_request, reply) =>
    reply
      .headers({
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'cache-control': CACHE_CONTROL,
        'x-content-type-options': 'nosniff',
      })
      .type('text/html; charset=utf-8')
      .send(PAGE),
  )

  app.get(`${REFERENCE_PATH}/:name`, async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    if (!isName(name)) throw new Refusal('not_found', 'No such file.')
    return sent(request, reply, await shownOf(name), FILES[name].type)
  })
  for (const path of [REFERENCE_PATH, `${REFERENCE_PATH}/:name`]) otherMethods(app, path, ['GET'])
}

function isName(name: string): name is Name {
  return Object.hasOwn(FILES, name)
}

async function read(file: string): Promise<Shown> {
  const content = await readFile(file)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16)
  return { content, compressed: await promisify(gzip)(content), etag: `"${hash}"` }
}

function sent(request: FastifyRequest, reply: FastifyReply, { content, compressed, etag }: Shown, type: string) {
  const { 'if-none-match': noneMatch, 'accept-encoding': accepted } = request.headers
  reply.headers({ etag: `W/${etag}`, 'cache-control': CACHE_CONTROL, vary: 'Accept-Encoding' })
  if (noneMatch !== undefined && listsTag(noneMatch, etag, 'weak')) return reply.code(304).send()
  reply.header('x-content-type-options', 'nosniff').type(type)
  if (!acceptedEncodings(accepted).includes('gzip')) return reply.send(content)
  return reply.header('content-encoding', 'gzip').send(compressed)
}
