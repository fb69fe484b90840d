import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { drained, rangeOf, received } from './chunk.ts'
import { decodeMetadata } from './metadata.ts'
import { decode, refusalFor } from './refusal.ts'
import { scriptIn, type Script } from './script.ts'
import { openSessions, type Session, type Sessions } from './session.ts'
import { authenticate } from './tokens.ts'
import { addVideo, videoResource } from './video.ts'

const MAX_BYTES = 256_000_000_000

const startQuery = z.strictObject({
  uploadType: z.literal('resumable'),
  part: z.literal('snippet,status'),
  notifySubscribers: z.enum(['true', 'false']).default('true'),
})
const sessionQuery = z.strictObject({ uploadType: z.literal('resumable'), upload_id: z.string() })
const announced = z.object({
  'x-upload-content-length': z.coerce.number().int().min(1).max(MAX_BYTES),
  'x-upload-content-type': z.string().regex(/^(video\/.+|application\/octet-stream)$/),
})

/** `POST .../videos` starts a session, `PUT` to its URL uploads the content. */
export function registerUpload(app: FastifyInstance, deps: StandInDeps): void {
  const sessions = openSessions(deps)

  app.post('/upload/youtube/v3/videos', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { notifySubscribers } = decode(startQuery, request.query)
    const media = decode(announced, request.headers, {}, 'mediaBodyRequired')
    const metadata = decodeMetadata(request.body)
    const { refuse } = scriptIn(metadata.snippet.description)
    if (refuse !== undefined) throw refusalFor(refuse)
    const uploadId = sessions.open(account, {
      bytes: media['x-upload-content-length'],
      type: media['x-upload-content-type'],
      notifySubscribers: notifySubscribers === 'true',
      metadata,
    })
    const query = new URLSearchParams({ uploadType: 'resumable', upload_id: uploadId })
    return reply.header('location', `${deps.baseUrl()}/upload/youtube/v3/videos?${query}`).send()
  })

  void app.register(async (scope) => {
    takeStreams(scope)
    scope.put('/upload/youtube/v3/videos', async (request, reply) => {
      try {
        const account = authenticate(request.headers.authorization, deps)
        const { upload_id } = decode(sessionQuery, request.query)
        const { session, script } = sessions.find(account, upload_id)
        return await putInto(session, script, account, sessions, request, reply, deps)
      } catch (error) {
        await drained(request.body)
        throw error
      }
    })
  })
}

async function putInto(
  session: Session,
  script: Script,
  account: LedgerAccount,
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: StandInDeps,
): Promise<FastifyReply> {
  const range = rangeOf(request, session)
  const video = sessions.video(account, session)
  const progress = sessions.progress(session)
  if (video || range.kind === 'probe' || range.first !== progress.next) {
    // Overlapping or non-contiguous chunks are discarded.
    await drained(request.body)
    return video ? reply.code(200).send(videoResource(video)) : incomplete(reply, progress.next)
  }
  const isLast = range.first + range.bytes === session.bytes
  const after = await received(request.body, progress, isLast ? range.bytes : (script.take ?? range.bytes))
  // A concurrent chunk may have been faster.
  if (progress.next !== range.first) return incomplete(reply, progress.next)
  if (!isLast) return incomplete(reply, Object.assign(progress, after).next)
  return answer(reply, 'publish', account, deps, () => {
    const made = sessions.video(account, session) ?? addVideo(account, session, after, deps)
    return { status: 201, body: videoResource(made) }
  })
}

function incomplete(reply: FastifyReply, next: number): FastifyReply {
  if (next > 0) reply.header('range', `bytes=0-${next - 1}`)
  return reply.code(308).send()
}
