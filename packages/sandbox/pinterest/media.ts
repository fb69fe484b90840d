import type { FastifyInstance, FastifyReply } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import * as z from 'zod'
import { streamOf, takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { readForm } from '../streamed-form.ts'
import { decode } from './refusal.ts'
import { SCRIPT_BYTES, videoScript } from './script.ts'
import { authenticate } from './tokens.ts'
import type { Uploads } from './uploads.ts'

/** Size limit of a form in bytes: vendors report 2 GB for a video. */
const UPLOAD_LIMIT = 2_001_000_000

const newMedia = z.strictObject({ media_type: z.literal('video') })

/** `POST /media`, `GET /media/{id}`, and at `/upload` the storage that `POST /media` returns. */
export function registerMedia(app: FastifyInstance, uploads: Uploads, deps: StandInDeps): void {
  app.post('/v5/media', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { media_type } = decode(newMedia, request.body)
    const { mediaId, parameters } = uploads.register(account)
    const upload_url = `${deps.baseUrl()}/upload`
    return reply.code(201).send({ media_id: mediaId, media_type, upload_url, upload_parameters: parameters })
  })

  app.get<{ Params: { id: string } }>('/v5/media/:id', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { id } = request.params
    return reply.send({ media_id: id, media_type: 'video', status: uploads.look(account, id) })
  })

  void app.register(async (scope) => {
    takeStreams(scope)
    registerStorage(scope, uploads, deps)
  })
}

/** Amazon S3's form upload, including its rules. */
function registerStorage(app: FastifyInstance, uploads: Uploads, deps: StandInDeps): void {
  app.post('/upload', async (request, reply) => {
    const { authorization, 'content-length': length, 'content-type': type = '' } = request.headers
    if (length === undefined) return refuse(reply, 411, 'MissingContentLength')
    if (authorization !== undefined) return refuse(reply, 400, 'InvalidArgument')
    if (Number(length) > UPLOAD_LIMIT) return refuse(reply, 400, 'EntityTooLarge')
    const boundary = /^multipart\/form-data; boundary=([^;]+)$/.exec(type)?.[1]
    const body = streamOf(request.body)
    const form = boundary && body ? await readForm(body, boundary, deps.files.hash(), SCRIPT_BYTES) : undefined
    if (!form) return refuse(reply, 400, 'MalformedPOSTRequest')

    const video = uploads.byForm(form.fields)
    if (video === 'refused' || video === 'ended') return refuse(reply, 403, 'AccessDenied')
    const { head, tail, bytes, sha256 } = form.file
    const script = videoScript(tail)
    if (!uploads.arrive(video.mediaId, sha256, script)) {
      return refuse(reply, script.refusal?.status ?? 403, script.refusal?.code ?? 'AccessDenied')
    }
    const mimeType = (await fileTypeFromBuffer(head))?.mime ?? 'application/octet-stream'
    const { mediaId: id, accountId } = video
    // Content is not checked before processing.
    deps.ledger.addMedia({ id, platform: 'pinterest', accountId, mediaType: 'video', mimeType, bytes, sha256 })
    return reply.code(204).send()
  })
}

function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Refused.</Message></Error>`
  return reply.code(status).type('application/xml').send(xml)
}
