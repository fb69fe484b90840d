import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { unknownObject } from '../meta/unknown-object.ts'
import { decode, graphRefusal, invalid } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { LedgerItem } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { directivesOf } from './directives.ts'
import { fetched } from './fetched.ts'
import { newId } from './ids.ts'
import { addPost, postText } from './posts.ts'
import { authenticateOwner } from './tokens.ts'

const MAX_BYTES = 10_000_000
const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff', 'image/webp', '']

const newPhoto = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  published: z.enum(['true', 'false']).default('true'),
  caption: postText,
  message: postText,
  alt_text_custom: z.string().optional(),
})
const newPost = z.strictObject({
  message: postText,
  published: z.literal('true').optional(),
  link: z.url({ protocol: /^https?$/ }).optional(),
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
    .pipe(z.array(z.strictObject({ media_fbid: z.string() })).min(1))
    .optional(),
})

/** `POST /{page}/photos`, which fetches the image, and `POST /{page}/feed`. */
export function registerPhotos(app: FastifyInstance, deps: StandInDeps, closing: AbortSignal): void {
  const { ledger } = deps
  const used = new Map<string, number>()

  app.post<ById>('/v26.0/:id/photos', async (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId: accountId } = call.account
    const { url, published, caption, message = caption, alt_text_custom: altText } = decode(newPhoto, call.parameters)
    const directives = directivesOf(url, used)
    const { fetch: refusal } = directives
    if (refusal !== undefined) throw graphRefusal({ code: Number(refusal), message: 'The image cannot be used' })
    const file = await fetched(url, MAX_BYTES, closing)
    if (file === 'unreachable' || !TYPES.includes(file.mimeType)) {
      throw graphRefusal({ code: 324, subcode: 2069019, message: 'Missing or invalid image file' })
    }
    if (file.bytes > MAX_BYTES) throw graphRefusal({ code: 1366046, message: 'The photo is too large' })
    const id = newId(deps)
    const add = () =>
      ledger.addMedia({
        ...{ id, platform: 'facebook', accountId, mediaType: 'image', ...file, sha256: '', sourceUrl: url },
        ...(altText !== undefined && { details: { altText } }),
      })
    if (published === 'false') {
      add()
      return reply.send({ id })
    }
    return answerPage(reply, 'publish', call, deps, () => {
      add()
      const post = { accountId, mediaId: id, mediaType: 'image', mediaUrl: url, text: message ?? '' } as const
      return { id, post_id: addPost(post, directives, deps).id }
    })
  })

  app.post<ById>('/v26.0/:id/feed', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId: accountId } = call.account
    const { message: text = '', attached_media = [], link } = decode(newPost, call.parameters)
    const [photo, ...others] = attached_media.map(({ media_fbid: id }) => {
      const found = ledger.media('facebook', id)
      if (found?.accountId !== accountId || found.mediaType !== 'image') throw unknownObject(id)
      return found
    })
    if (!photo) {
      if (text.trim() === '' && link === undefined) throw invalid('message, link or attached_media is required')
      const post = { accountId, mediaType: 'text', mediaUrl: '', text, link } as const
      return answerPage(reply, 'publish', call, deps, () => ({ id: addPost(post, {}, deps).id }))
    }
    if (link !== undefined) throw invalid('link and attached_media exclude each other')
    const { id: mediaId, sourceUrl: mediaUrl = '', mediaType } = photo
    return answerPage(reply, 'publish', call, deps, () => {
      const items = [photo, ...others].map(({ mediaType, sourceUrl = '', details }): LedgerItem => {
        const altText = details?.['altText']
        return { mediaUrl: sourceUrl, mediaType, ...(typeof altText === 'string' && { altText }) }
      })
      const post = { accountId, mediaId, mediaType, mediaUrl, text, items, others: others.map(({ id }) => id) }
      return { id: addPost(post, directivesOf(mediaUrl, used), deps).id }
    })
  })
}
