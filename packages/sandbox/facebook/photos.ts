import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { unknownObject } from '../meta/unknown-object.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { directivesOf } from './directives.ts'
import { fetched } from './fetched.ts'
import { newId } from './ids.ts'
import { addPost, postText } from './posts.ts'
import { authenticateOwner } from './tokens.ts'

const MAX_BYTES = 10_000_000
const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff', 'image/webp', '']

/** Unpublished photos only: a published one leaves nothing to find it by. */
const newPhoto = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  published: z.literal('false'),
  alt_text_custom: z.string().optional(),
})
const newPost = z.strictObject({
  message: postText,
  attached_media: z
    .string()
    .transform((json, context): unknown => {
      try {
        return JSON.parse(json)
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(z.tuple([z.strictObject({ media_fbid: z.string() })])),
})

/** `POST /{page}/photos`, which fetches the image, and `POST /{page}/feed`. */
export function registerPhotos(app: FastifyInstance, deps: StandInDeps, closing: AbortSignal): void {
  const { ledger } = deps
  const used = new Map<string, number>()

  app.post<ById>('/v26.0/:id/photos', async (request, reply) => {
    const { account, parameters } = authenticateOwner(request, deps)
    const { url } = decode(newPhoto, parameters)
    const { fetch: refusal } = directivesOf(url, used)
    if (refusal !== undefined) throw graphRefusal({ code: Number(refusal), message: 'The image cannot be used' })
    const file = await fetched(url, MAX_BYTES, closing)
    if (file === 'unreachable' || !TYPES.includes(file.mimeType)) {
      throw graphRefusal({ code: 324, subcode: 2069019, message: 'Missing or invalid image file' })
    }
    if (file.bytes > MAX_BYTES) throw graphRefusal({ code: 1366046, message: 'The photo is too large' })
    const id = newId(deps)
    const photo = { id, platform: 'facebook', accountId: account.externalId, mediaType: 'image' } as const
    ledger.addMedia({ ...photo, ...file, sha256: '', sourceUrl: url })
    return reply.send({ id })
  })

  app.post<ById>('/v26.0/:id/feed', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId: accountId } = call.account
    const { message: text = '', attached_media } = decode(newPost, call.parameters)
    const [{ media_fbid: mediaId }] = attached_media
    const photo = ledger.media('facebook', mediaId)
    if (photo?.accountId !== accountId || photo.mediaType !== 'image') throw unknownObject(mediaId)
    const { sourceUrl: mediaUrl = '', mediaType } = photo
    return answerPage(reply, 'publish', call, deps, () => {
      const post = { accountId, mediaId, mediaType, mediaUrl, text }
      return { id: addPost(post, directivesOf(mediaUrl, used), deps).id }
    })
  })
}
