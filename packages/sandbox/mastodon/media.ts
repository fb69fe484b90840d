import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import * as z from 'zod'
import type { LedgerAccount, LedgerMedia } from '../ledger.ts'
import { streamOf, takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { readForm } from '../streamed-form.ts'
import { LIMITS } from './instance.ts'
import { decode, invalid, notFound, refusal } from './refusal.ts'
import { authenticate } from './tokens.ts'

const { description_limit, image_size_limit, video_size_limit, supported_mime_types } = LIMITS.media_attachments
const TYPES: readonly string[] = supported_mime_types
/** How long media that no post shows is kept. */
const LIFETIME_MS = 86_400_000
const TAIL_BYTES = 200
/** At the end of a video: looks for which it is processed, unless it says `sandbox=processing:5`; `sandbox=error`: it fails. */
const DIRECTIVE = /sandbox=(processing|error)(?::(\d+))?/
const USUAL_LOOKS = 1

const fieldsSchema = z.strictObject({
  description: z.string().max(description_limit).optional(),
  focus: z
    .string()
    .regex(/^-?[01](?:\.\d+)?,-?[01](?:\.\d+)?$/)
    .optional(),
})

export interface MediaShelf {
  /** Media that a post may show. @throws StandInRefusal 422 */
  usable(ids: readonly string[], account: LedgerAccount): readonly LedgerMedia[]
}

/** Uploads, of which videos are processed for a while. That is forgotten with the process: they are then done. */
export function registerMedia(app: FastifyInstance, newId: () => string, deps: StandInDeps): MediaShelf {
  const { ledger, clock } = deps
  const processing = new Map<string, { looksLeft: number; readonly isBroken: boolean }>()

  const stored = async (request: FastifyRequest, account: LedgerAccount): Promise<LedgerMedia> => {
    const body = streamOf(request.body)
    const boundary = /;\s*boundary="?([^";\s]+)/.exec(request.headers['content-type'] ?? '')?.[1]
    const form =
      body && boundary !== undefined ? await readForm(body, boundary, deps.files.hash(), TAIL_BYTES) : undefined
    if (!form) throw invalid("File can't be blank")
    const { description } = decode(fieldsSchema, form.fields)
    const { head, tail, bytes, sha256 } = form.file
    const mimeType = (await fileTypeFromBuffer(head))?.mime ?? 'unknown'
    if (!TYPES.includes(mimeType)) throw invalid('File content type is invalid, File is invalid')
    const mediaType = mimeType.startsWith('image/') ? 'image' : 'video'
    if (bytes > (mediaType === 'image' ? image_size_limit : video_size_limit))
      throw invalid('File file size must be less than the limit')
    const media: LedgerMedia = {
      ...{ id: newId(), platform: 'mastodon', accountId: account.externalId, mediaType, mimeType, bytes, sha256 },
      details: { uploadedAt: clock.now(), ...(description !== undefined && { description }) },
    }
    ledger.addMedia(media)
    const [, directive, looks] = DIRECTIVE.exec(tail.toString('latin1')) ?? []
    if (mediaType === 'video') {
      processing.set(media.id, { looksLeft: Number(looks ?? USUAL_LOOKS), isBroken: directive === 'error' })
    }
    return media
  }
  const unattached = (id: string, { externalId }: LedgerAccount): LedgerMedia | undefined => {
    const media = ledger.media('mastodon', id)
    if (media?.accountId !== externalId || media.details?.['statusId'] !== undefined) return undefined
    return Number(media.details?.['uploadedAt']) + LIFETIME_MS > clock.now() ? media : undefined
  }

  void app.register(async (scope) => {
    takeStreams(scope)
    scope.post('/api/v2/media', async (request, reply) => {
      const media = await stored(request, authenticate(request, 'write:media', deps))
      const isDone = !processing.has(media.id)
      return reply.code(isDone ? 200 : 202).send(shownMedia(media, deps, isDone))
    })
  })

  app.get<{ Params: { id: string } }>('/api/v1/media/:id', (request, reply) => {
    const account = authenticate(request, 'write:media', deps)
    const media = unattached(request.params.id, account)
    if (!media) throw notFound()
    const job = processing.get(media.id)
    if (job && job.looksLeft > 0) {
      job.looksLeft -= 1
      return reply.code(206).send(shownMedia(media, deps, false))
    }
    if (job?.isBroken) throw refusal(422, 'Error processing thumbnail for uploaded media')
    processing.delete(media.id)
    return reply.send(shownMedia(media, deps))
  })

  /** Where the sandbox describes what was uploaded. */
  app.get<{ Params: { id: string } }>('/media/:id', (request, reply) => {
    const media = ledger.media('mastodon', request.params.id)
    if (!media) throw notFound()
    const { mediaType, mimeType, bytes, sha256 } = media
    return reply.send({ mediaType, mimeType, bytes, sha256 })
  })

  return {
    usable: (ids, account) => {
      const media = ids.flatMap((id) => unattached(id, account) ?? [])
      if (media.length < ids.length) {
        const missing = ids.filter((id) => !media.some((each) => each.id === id))
        throw refusal(422, `Media ${missing.join(', ')} not found or already attached to another post`)
      }
      if (media.some(({ id }) => processing.has(id))) {
        throw refusal(422, 'Cannot attach files that have not finished processing. Try again in a moment!')
      }
      if (media.length > 1 && media.some(({ mediaType }) => mediaType === 'video')) {
        throw refusal(422, 'Cannot attach a video to a post that already contains images')
      }
      return media
    },
  }
}

/** A `MediaAttachment` as the API shows it. */
export function shownMedia(media: LedgerMedia, { baseUrl }: StandInDeps, isDone = true): object {
  const url = `${baseUrl()}/media/${media.id}`
  const { description } = media.details ?? {}
  return {
    ...{ id: media.id, type: media.mediaType, url: isDone ? url : null, preview_url: url, remote_url: null },
    ...{ meta: {}, description: description ?? null, blurhash: null },
  }
}
