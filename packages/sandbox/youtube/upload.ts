import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { streamOf, takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { drained, rangeOf, received } from './chunk.ts'
import { decodeMetadata, type Metadata } from './metadata.ts'
import { only, parts } from './parts.ts'
import { decodeQuery } from './query.ts'
import { decode, refusalFor } from './refusal.ts'
import { readRelated } from './related.ts'
import { scriptIn, type Script } from './script.ts'
import { openSessions, type Session, type Sessions } from './session.ts'
import { authenticateToUpload } from './tokens.ts'
import { addVideo, VIDEO_PARTS, videoResource } from './video.ts'

const MAX_BYTES = 256_000_000_000

const insertQuery = z.strictObject({
  uploadType: z.enum(['resumable', 'multipart']),
  part: parts(VIDEO_PARTS),
  notifySubscribers: z.enum(['true', 'false']).default('true'),
})
const sessionQuery = z.strictObject({ uploadType: z.literal('resumable'), upload_id: z.string() })
const bytes = z.coerce.number().int().min(1).max(MAX_BYTES)
const type = z.string().regex(/^(video\/.+|application\/octet-stream)$/)
const announced = z.object({ 'x-upload-content-length': bytes, 'x-upload-content-type': type })
const sent = z.object({ bytes, type })

/** `POST .../videos` with the content, or to start a session. `PUT` to the session's URL uploads the content. */
export function registerUpload(app: FastifyInstance, deps: StandInDeps): void {
  const sessions = openSessions(deps)

  void app.register(async (scope) => {
    scope.addContentTypeParser(/^multipart\/related/, (_request, payload: Readable, done) => done(null, payload))
    scope.post('/upload/youtube/v3/videos', async (request, reply) => {
      try {
        const account = authenticateToUpload(request.headers.authorization, deps)
        const { uploadType, part, ...query } = decodeQuery(insertQuery, request.query)
        const asked = { part, notifySubscribers: query.notifySubscribers === 'true' }
        return uploadType === 'multipart'
          ? await insert(asked, account, request, reply, deps)
          : start(asked, account, sessions, request, reply, deps)
      } catch (error) {
        if (request.body instanceof Readable) await drained(request.body)
        throw error
      }
    })
  })

  void app.register(async (scope) => {
    takeStreams(scope)
    scope.put('/upload/youtube/v3/videos', async (request, reply) => {
      try {
        const account = authenticateToUpload(request.headers.authorization, deps)
        const { upload_id } = decodeQuery(sessionQuery, request.query)
        const { session, script } = sessions.find(account, upload_id)
        return await putInto(session, script, account, sessions, request, reply, deps)
      } catch (error) {
        await drained(request.body)
        throw error
      }
    })
  })
}

type Asked = Pick<Session, 'part' | 'notifySubscribers'>

async function insert(
  asked: Asked,
  account: LedgerAccount,
  { body, headers }: FastifyRequest,
  reply: FastifyReply,
  deps: StandInDeps,
): Promise<FastifyReply> {
  const { content, ...given } = await readRelated(
    streamOf(body) ?? Readable.from([]),
    headers['content-type'] ?? '',
    deps.files,
  )
  const metadata = acceptable(given.metadata)
  const { type } = decode(sent, { bytes: content.next, type: given.type }, {}, 'mediaBodyRequired')
  const upload = { ...asked, id: deps.ids.token(), type, metadata }
  return answer(reply, 'publish', account, deps, () => ({
    status: 200,
    body: only(videoResource(addVideo(account, upload, content, deps)), asked.part),
  }))
}

function start(
  asked: Asked,
  account: LedgerAccount,
  sessions: Sessions,
  { body, headers }: FastifyRequest,
  reply: FastifyReply,
  deps: StandInDeps,
): FastifyReply {
  const media = decode(announced, headers, {}, 'mediaBodyRequired')
  const uploadId = sessions.open(account, {
    ...asked,
    bytes: media['x-upload-content-length'],
    type: media['x-upload-content-type'],
    metadata: acceptable(body),
  })
  const query = new URLSearchParams({ uploadType: 'resumable', upload_id: uploadId })
  return reply.header('location', `${deps.baseUrl()}/upload/youtube/v3/videos?${query}`).send()
}

/** @throws StandInRefusal for metadata that are invalid, or whose description asks for it */
function acceptable(given: unknown): Metadata {
  const metadata = decodeMetadata(given)
  const { refuse } = scriptIn(metadata.snippet.description)
  if (refuse !== undefined) throw refusalFor(refuse)
  return metadata
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
    return video ? reply.code(200).send(only(videoResource(video), session.part)) : incomplete(reply, progress.next)
  }
  const isLast = range.first + range.bytes === session.bytes
  const after = await received(request.body, progress, range.bytes, isLast ? range.bytes : (script.take ?? range.bytes))
  // A concurrent chunk may have been faster.
  if (progress.next !== range.first) return incomplete(reply, progress.next)
  if (!isLast) return incomplete(reply, Object.assign(progress, after).next)
  return answer(reply, 'publish', account, deps, () => {
    const made = sessions.video(account, session) ?? addVideo(account, session, after, deps)
    return { status: 201, body: only(videoResource(made), session.part) }
  })
}

function incomplete(reply: FastifyReply, next: number): FastifyReply {
  if (next > 0) reply.header('range', `bytes=0-${next - 1}`)
  return reply.code(308).send()
}
