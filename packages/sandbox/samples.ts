import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseRange } from '../../infra/runtime/byte-range.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import { sampleFeed } from './feed.ts'

interface Sample {
  readonly type: string
  readonly content: Buffer
  readonly etag: string
}

function sample(type: string, content: Buffer): Sample {
  return { type, content, etag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"` }
}

/** `/media/sample.jpg`, `/media/sample.mp4`, `/media/sample.pdf` and `/feed.xml`: inputs for a demo without network access. */
export async function registerSamples(app: FastifyInstance, url: () => string): Promise<void> {
  const folder = join(packageRoot(), 'packages/sandbox/media')
  const image = sample('image/jpeg', await readFile(join(folder, 'sample.jpg')))
  const video = sample('video/mp4', await readFile(join(folder, 'sample.mp4')))
  const document = sample('application/pdf', await readFile(join(folder, 'sample.pdf')))

  app.get('/media/sample.jpg', (request, reply) => serve(image, request, reply))
  app.get('/media/sample.mp4', (request, reply) => serve(video, request, reply))
  app.get('/media/sample.pdf', (request, reply) => serve(document, request, reply))
  app.get('/feed.xml', (request, reply) => {
    const feed = sampleFeed(url(), image.content.length)
    return serve(sample('application/rss+xml; charset=utf-8', Buffer.from(feed)), request, reply)
  })
}

export function serve({ type, content, etag }: Sample, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag, 'accept-ranges': 'bytes' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()

  const ifRange = request.headers['if-range']
  const asked = ifRange === undefined || ifRange === etag ? request.headers.range : undefined
  const range = parseRange(asked, content.length)
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${content.length}`).send()
  }
  reply.type(type)
  if (!range) return reply.send(content)
  const { first, last } = range
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${content.length}`)
    .send(content.subarray(first, last + 1))
}
