import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { MEDIA_TYPES, type MediaType } from '../../../domain/core/platform.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Assets, Upload } from './assets.ts'
import { number } from './identity.ts'
import { assembled } from './measure.ts'
import { decode, refuse } from './refusal.ts'
import { callerOf, mayPost, mayRead, mustBe, mustBeEncoded, mustBePages } from './request.ts'

export const PART_BYTES = 4 * 1024 * 1024
const UPLOAD_URL_MS = 24 * 60 * 60_000
/** Limits for a feed post: 75 KB to 500 MB. */
const VIDEO_BYTES = { least: 75_000, most: 524_288_000 }

const initialize = z.strictObject({ action: z.literal('initializeUpload') })
const anyAction = z.strictObject({ action: z.enum(['initializeUpload', 'finalizeUpload']) })
const wholeRequest = z.strictObject({ initializeUploadRequest: z.strictObject({ owner: z.string() }) })
const videoRequest = z.strictObject({
  initializeUploadRequest: z.strictObject({
    owner: z.string(),
    fileSizeBytes: z.int().min(VIDEO_BYTES.least).max(VIDEO_BYTES.most),
    uploadCaptions: z.literal(false),
    uploadThumbnail: z.literal(false),
  }),
})
const finalizeRequest = z.strictObject({
  finalizeUploadRequest: z.strictObject({
    video: z.string(),
    uploadToken: z.string(),
    uploadedPartIds: z.array(z.string()),
  }),
})

/** `initializeUpload` and `finalizeUpload`, and the status of an asset. */
export function registerActions(app: FastifyInstance, assets: Assets, deps: StandInDeps): void {
  const { clock, ids } = deps
  const begin = (kind: MediaType, owner: string, fileSizeBytes: number): Upload => {
    const urn = `urn:li:${kind}:D4E${number(ids.token())}`
    const urlsExpireAt = clock.now() + UPLOAD_URL_MS
    const upload = { urn, owner, mediaType: kind, fileSizeBytes, urlsExpireAt, parts: new Map() }
    assets.begin(upload)
    return upload
  }
  const urlOf = ({ urn }: Upload): string => `${deps.baseUrl()}/dms-uploads/${encodeURIComponent(urn)}`

  for (const kind of ['image', 'document'] as const) {
    app.post(`/rest/${kind}s`, (request, reply) => {
      const caller = callerOf(request, deps)
      decode(initialize, request.query)
      const { owner } = decode(wholeRequest, request.body).initializeUploadRequest
      if (kind === 'document') mayOwnDocument(caller, owner, deps)
      else mayPost(caller, owner, 'owner', deps)
      const upload = begin(kind, owner, 0)
      const value = { uploadUrlExpiresAt: upload.urlsExpireAt, uploadUrl: urlOf(upload), [kind]: upload.urn }
      return reply.send({ value })
    })
  }

  app.post('/rest/videos', (request, reply) => {
    const caller = callerOf(request, deps)
    if (decode(anyAction, request.query).action === 'finalizeUpload') {
      const { video, uploadToken, uploadedPartIds } = decode(finalizeRequest, request.body).finalizeUploadRequest
      const upload = assets.upload(video)
      if (upload?.mediaType !== 'video') throw refuse(404, 'NOT_FOUND', `Could not find entity ${video}`)
      mayPost(caller, upload.owner, 'video', deps)
      if (uploadToken !== tokenOf(upload)) throw refuse(400, 'INVALID_VALUE_FOR_FIELD', 'ERROR :: /uploadToken')
      assets.complete(upload, assembled(partsOf(upload, uploadedPartIds)))
      return reply.send()
    }
    const { owner, fileSizeBytes } = decode(videoRequest, request.body).initializeUploadRequest
    mayPost(caller, owner, 'owner', deps)
    const upload = begin('video', owner, fileSizeBytes)
    const uploadInstructions = Array.from({ length: Math.ceil(fileSizeBytes / PART_BYTES) }, (_, part) => ({
      uploadUrl: `${urlOf(upload)}/${part}`,
      ...rangeOf(upload, part),
    }))
    const { urn: video, urlsExpireAt: uploadUrlsExpireAt } = upload
    return reply.send({ value: { uploadUrlsExpireAt, video, uploadInstructions, uploadToken: tokenOf(upload) } })
  })

  for (const kind of MEDIA_TYPES) {
    app.get<{ Params: { urn: string } }>(`/rest/${kind}s/:urn`, (request, reply) => {
      const caller = callerOf(request, deps)
      mustBeEncoded(request)
      const { urn } = request.params
      mayRead(caller, `${kind}s.GET`)
      const owner = assets.ownerOf(urn)
      const known = urn.startsWith(`urn:li:${kind}:`) && owner ? assets.status(urn, true) : undefined
      if (!known || owner === undefined) throw refuse(404, 'NOT_FOUND', `Could not find entity ${urn}`)
      mustBe(caller, owner, 'owner', deps)
      mustBePages(owner, `${kind}s.GET`)
      const { status, failure } = known
      return reply.send({ id: urn, owner, status, ...(failure !== undefined && { processingFailureReason: failure }) })
    })
  }
}

/** @throws StandInRefusal 403, in the words of the Documents API */
function mayOwnDocument(caller: LedgerAccount, owner: string, deps: StandInDeps): void {
  try {
    mayPost(caller, owner, 'owner', deps)
  } catch {
    const why = 'Accessing this document resource is forbidden. Please check your permissions for this resource'
    throw refuse(403, 'ACCESS_DENIED', why)
  }
}

/** The inclusive range of a part. */
export function rangeOf({ fileSizeBytes }: Upload, part: number): { firstByte: number; lastByte: number } {
  const firstByte = part * PART_BYTES
  return { firstByte, lastByte: Math.min(firstByte + PART_BYTES, fileSizeBytes) - 1 }
}

function tokenOf({ urn }: Upload): string {
  return `token-${urn.slice(-6)}`
}

/** In the order named, even if wrong: LinkedIn does not check, and scrambles the video. */
function partsOf({ parts, fileSizeBytes }: Upload, names: readonly string[]) {
  const named = names.map((name) => [...parts.values()].find(({ etag }) => etag === name))
  const whole = named.filter((part) => part !== undefined)
  const bytes = whole.reduce((sum, part) => sum + part.bytes, 0)
  if (whole.length === named.length && new Set(names).size === names.length && bytes === fileSizeBytes) return whole
  throw refuse(400, 'INVALID_VALUE_FOR_FIELD', 'ERROR :: /uploadedPartIds :: not all parts of the video')
}
