import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { parseRange } from '../../../infra/runtime/byte-range.ts'
import { decode, SandboxRefusal } from '../refusal.ts'
import { breakConnection } from '../break-connection.ts'
import { videoRequest, type VideoJob } from './video-entry.ts'
import type { VideoJobs } from './video-jobs.ts'
import { directiveIn } from './directives.ts'

export interface VideoDeps {
  readonly videos: VideoJobs
  /** URL of the sandbox. Only known once it listens. */
  url(): string
}

const MODEL = 'sandbox-renderer'
const CLIP = '.mp4'
const params = z.object({ name: z.string() })

/**
 * - `POST /ai/videos`: starts a title card for the prompt, once per key; `directives.ts` lists the directives that the prompt may
 *   contain;
 * - `GET /ai/videos/<id>`: its status;
 * - `GET /ai/videos/<id>.mp4`: the clip, once done.
 */
export function registerVideos(app: FastifyInstance, { videos, url }: VideoDeps): void {
  app.post('/videos', async (request, reply) => {
    const asked = decode(videoRequest, request.body)
    const directive = directiveIn(asked.prompt, 'video')
    if (directive === 'busy') throw new SandboxRefusal(503, 'overloaded', 'the renderer is overloaded')
    if (directive === 'refuse') throw new SandboxRefusal(422, 'refused', 'the renderer refuses this prompt')
    const { job, isNew } = await videos.begin(asked)
    if (directive === 'lost' && isNew) return breakConnection(reply)
    return reply.code(202).send({ id: job.id, status: job.status })
  })

  app.get('/videos/:name', async (request, reply) => {
    const { name } = decode(params, request.params, 'path')
    const isClip = name.endsWith(CLIP)
    const job = videos.find(isClip ? name.slice(0, -CLIP.length) : name)
    if (!job) throw new SandboxRefusal(404, 'not_found', 'no such video')
    if (!isClip) return reply.send(shown(job, `${url()}/ai/videos/${job.id}${CLIP}`))
    if (job.status !== 'done') throw new SandboxRefusal(404, 'not_found', 'the video is not done')
    return sendClip(videos.fileOf(job.id), request, reply)
  })
}

function shown({ id, status, progressPct, error }: VideoJob, clipUrl: string) {
  return {
    id,
    status,
    progressPct,
    model: MODEL,
    ...(error !== undefined && { error }),
    ...(status === 'done' && { url: clipUrl }),
  }
}

async function sendClip(file: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { size } = await stat(file)
  const range = parseRange(request.headers.range, size)
  reply.header('accept-ranges', 'bytes')
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()
  const { first, last } = range ?? { first: 0, last: size - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
  return reply
    .type('video/mp4')
    .header('content-length', last - first + 1)
    .send(createReadStream(file, { start: first, end: last }))
}
