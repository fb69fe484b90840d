import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import type { Photos } from './photos.ts'
import { decode, envelope } from './refusal.ts'
import { postScript } from './script.ts'
import { isPublic, ownTask, postOf, type Task } from './tasks.ts'
import { authenticate } from './tokens.ts'
import type { Uploads } from './uploads.ts'

const statusBody = z.strictObject({ publish_id: z.string().min(1).max(64) })

interface Status {
  readonly status: string
  readonly fail_reason?: string
  readonly uploaded_bytes?: number
  readonly publicaly_available_post_id?: readonly string[]
}

/** The status of a post. Each look at one whose content has arrived advances it by one step. */
export function registerStatus(app: FastifyInstance, photos: Photos, uploads: Uploads, deps: StandInDeps): void {
  const looks = new Map<string, number>()

  app.post('/v2/post/publish/status/fetch/', async (request, reply) => {
    const account = authenticate(request.headers.authorization, ['video.publish', 'video.upload'], deps)
    const { publish_id } = decode(statusBody, request.body)
    return send(reply, await statusOf(ownTask(account, publish_id, deps)))
  })

  async function statusOf(task: Task): Promise<Status> {
    const { upload } = task
    // Await the download, so that the number of looks is deterministic.
    const failed = upload ? uploads.state(task).failed : await photos.fetch(task)
    const uploaded = upload ? { uploaded_bytes: uploads.state(task).bytes } : {}
    const working = { status: upload ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD', ...uploaded }
    if (upload && uploaded.uploaded_bytes !== upload.bytes) return working

    const look = (looks.get(task.publishId) ?? 0) + 1
    looks.set(task.publishId, look)
    const { processing } = postScript(task.caption)
    if (look <= processing) return working
    if (failed !== undefined) return { status: 'FAILED', fail_reason: failed, ...uploaded }
    const post = postOf(task, deps)
    if (post?.isDraft) return { status: 'SEND_TO_USER_INBOX', ...uploaded }
    const isSeen = post !== undefined && isPublic(post) && look > processing + 1
    return { status: 'PUBLISH_COMPLETE', ...uploaded, publicaly_available_post_id: isSeen ? [post.id] : [] }
  }
}

/** Ids are bare numbers, as at TikTok: too long for most parsers to read exactly. */
function send(reply: FastifyReply, status: Status): FastifyReply {
  const text = JSON.stringify(envelope(status)).replaceAll(/"(\d{19})"/g, '$1')
  return reply.type('application/json; charset=utf-8').send(text)
}
