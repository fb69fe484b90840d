import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { streamOf, takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerLastChunk } from './answer.ts'
import { taskOfUpload, type Task } from './tasks.ts'
import { typeOf, type Uploads } from './uploads.ts'

const uploadQuery = z.strictObject({ upload_id: z.string(), upload_token: z.string() })
const TYPES: readonly (string | undefined)[] = ['video/mp4', 'video/quicktime', 'video/webm']

/** `PUT /video/`, which receives the bytes of a video: answers statuses only, and takes no token. */
export function registerUpload(app: FastifyInstance, uploads: Uploads, deps: StandInDeps): void {
  void app.register(async (scope) => {
    takeStreams(scope)
    scope.put('/video/', async (request, reply) => {
      const verdict = await verdictOn(request, reply)
      if (verdict === 'answered') return reply
      // Closing the connection mid-body would hide the answer.
      for await (const _ of contentOf(request));
      if (verdict.has !== undefined) reply.header('content-range', verdict.has)
      return reply.code(verdict.status).send()
    })
  })

  async function verdictOn(request: FastifyRequest, reply: FastifyReply): Promise<Verdict | 'answered'> {
    const query = uploadQuery.safeParse(request.query)
    const task = query.success ? taskOfUpload(query.data.upload_id, deps) : undefined
    const account = task && deps.ledger.account('tiktok', task.accountId)
    const upload = task?.upload
    if (!account || !upload || upload.token !== query.data?.upload_token) return { status: 404 }
    if (upload.endsAt <= deps.clock.now()) return { status: 403 }
    const range = rangeIn(request, task)
    if (!range) return { status: 400 }
    const has = (bytes: number): string => `bytes 0-${bytes}/${upload.bytes}`
    const before = uploads.state(task).bytes
    if (range.first !== before) return { status: 416, has: has(before) }
    const after = await uploads.received(uploads.progress(task), contentOf(request))
    // A concurrent chunk may have been faster.
    if (uploads.state(task).bytes !== before) return { status: 416, has: has(uploads.state(task).bytes) }
    if (after.next !== range.last + 1) return { status: 400 }
    if (after.next < upload.bytes) {
      uploads.keep(task, after)
      return { status: 206, has: has(after.next) }
    }
    const mimeType = await typeOf(after)
    await answerLastChunk(reply, account, deps, () => {
      uploads.complete(task, after, mimeType)
      return { status: 201, body: '' }
    })
    return 'answered'
  }
}

interface Verdict {
  readonly status: number
  /** The bytes received, in the format of the `Content-Range` header. */
  readonly has?: string
}

/** The range of a chunk that matches the announced upload. */
function rangeIn({ headers }: FastifyRequest, { upload }: Task): { first: number; last: number } | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '')
  if (!match || !upload || headers.authorization !== undefined || !TYPES.includes(headers['content-type'])) {
    return undefined
  }
  const [first, last, total] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const index = first / upload.chunkBytes
  const end = index + 1 < upload.count ? first + upload.chunkBytes : upload.bytes
  const isChunk = Number.isInteger(index) && index < upload.count && last + 1 === end && total === upload.bytes
  return isChunk && Number(headers['content-length']) === end - first ? { first, last } : undefined
}

function contentOf({ body }: FastifyRequest): AsyncIterable<Buffer> | readonly Buffer[] {
  return streamOf(body) ?? []
}
