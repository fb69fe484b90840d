import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import { acceptedEncodings } from './accepted-encodings.ts'
import { listsTag } from './etag.ts'
import { otherMethods } from './methods.ts'
import { answerPage, html } from './page.ts'

export const REFERENCE_PATH = '/docs'
const LIBRARY = 'node_modules/swagger-ui-dist'
/** What the page is made of, by the name that it is asked for. */
const FILES = {
  'start.js': { file: 'start.js', type: 'text/javascript; charset=utf-8' },
  'page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { file: `${LIBRARY}/swagger-ui-bundle.js`, type: 'text/javascript; charset=utf-8' },
  'swagger-ui.css': { file: `${LIBRARY}/swagger-ui.css`, type: 'text/css; charset=utf-8' },
} as const
type Name = keyof typeof FILES

/** Asked for each time, by its tag: an update shows at once. */
const CACHE_CONTROL = 'no-cache'
/** All of it comes from here, requests go here alone, and no other page shows it. Its pictures stand in its style. */
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
    <main id="reference">
      <noscript>This page needs JavaScript. The API as a document: <a href="v1/openapi.json">OpenAPI</a></noscript>
    </main>
  </body>
</html>
`

interface Shown {
  readonly content: Buffer
  readonly compressed: Buffer
  readonly etag: string
}

/**
 * `/docs`: the API for people, from the same document as for machines. Its library is a package of its own, which need not
 * be installed.
 *
 * @param folder where that package is
 */
export function referenceRoutes(app: FastifyInstance, folder: string): void {
  const known = new Map<Name, Promise<Shown>>()
  const shownOf = (name: Name): Promise<Shown> => {
    const shown = known.get(name) ?? read(join(folder, FILES[name].file))
    known.set(name, shown)
    // It may be installed while the service runs.
    shown.catch(() => known.delete(name))
    return shown
  }

  app.get(REFERENCE_PATH, async (_request, reply) => {
    try {
      await shownOf('swagger-ui-bundle.js')
    } catch {
      return answerPage(
        reply,
        404,
        'The API reference is not installed',
        html`<p>Install it with <code>npm run reference:install</code>, and load this page again.</p>
          <p>The API as a document: <a href="v1/openapi.json">OpenAPI</a></p>`,
      )
    }
    return reply
      .headers({
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'cache-control': CACHE_CONTROL,
        'x-content-type-options': 'nosniff',
      })
      .type('text/html; charset=utf-8')
      .send(PAGE)
  })

  app.get(`${REFERENCE_PATH}/:name`, async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    if (!isName(name)) throw new Refusal('not_found', 'There is no such file.')
    const shown = await shownOf(name).catch(() => {
      throw new Refusal('not_found', 'The API reference is not installed: npm run reference:install')
    })
    return sent(request, reply, shown, FILES[name].type)
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
