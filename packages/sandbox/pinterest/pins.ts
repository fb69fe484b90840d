import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { mustOwnBoard, sectionId } from './boards.ts'
import { digits } from './ids.ts'
import { newPin, pinEdit } from './new-pin.ts'
import { pageOf, pageQuery } from './page.ts'
import { decode, pinterestRefusal } from './refusal.ts'
import { sourceOf } from './source.ts'
import { authenticate } from './tokens.ts'
import type { Uploads } from './uploads.ts'

const rejected = pinterestRefusal(400, 1, 'Invalid request: this content does not meet the community guidelines').answer

const detailsSchema = z.object({
  boardId: z.string(),
  boardSectionId: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  link: z.string().optional(),
  altText: z.string().optional(),
  /** ISO 8601 UTC; lists omit the Pin until then. */
  listedFrom: z.string(),
})

/** `POST /pins`, `GET /pins` and `GET /boards/{id}/pins`. As at Pinterest, posting the same Pin twice makes two. */
export function registerPins(app: FastifyInstance, uploads: Uploads, deps: StandInDeps): void {
  const { ledger, clock } = deps

  app.post('/v5/pins', async (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const given = decode(newPin, request.body)
    const { board_id: boardId, board_section_id: boardSectionId, title, description, link } = given
    const { alt_text: altText } = given
    mustOwnBoard(account, boardId)
    if (boardSectionId !== undefined && boardSectionId !== sectionId(boardId)) {
      throw pinterestRefusal(404, 2031, 'Board section not found.')
    }
    const { listedAfterS, ...media } = await sourceOf(given, account, uploads, deps)
    return answer(reply, 'publish', account, deps, rejected, () => {
      const now = clock.now()
      const listedFrom = isoTime(now + listedAfterS * 1_000)
      const post: LedgerPost = {
        id: digits(deps.ids),
        platform: 'pinterest',
        accountId: account.externalId,
        caption: description ?? title ?? '',
        ...media,
        items: (media.items ?? [media]).map(({ mediaUrl, mediaType }, index) => ({
          ...{ mediaUrl, mediaType },
          ...(index === 0 && altText !== undefined && { altText }),
        })),
        createdAt: isoTime(now),
        ...(!ledger.isReviewed('pinterest') && { isHidden: true }),
        details: { boardId, boardSectionId, title, description, link, altText, listedFrom },
      }
      ledger.addPost(post)
      return { status: 201, body: shown(post) }
    })
  })

  const mustFind = (account: LedgerAccount, id: string): LedgerPost => {
    const pin = ledger.post('pinterest', id)
    if (pin?.accountId !== account.externalId) throw pinterestRefusal(404, 50, 'Pin not found.')
    return pin
  }

  app.patch<{ Params: { id: string } }>('/v5/pins/:id', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const pin = mustFind(account, request.params.id)
    const { alt_text: altText, ...given } = decode(pinEdit, request.body)
    return answer(reply, 'edit', account, deps, rejected, () => {
      const details = { ...pin.details, ...given, ...(altText !== undefined && { altText }) }
      const { description, title } = detailsSchema.parse(details)
      const edited = { ...pin, caption: description ?? title ?? '', details }
      ledger.replacePost(edited)
      return { status: 200, body: shown(edited) }
    })
  })

  app.delete<{ Params: { id: string } }>('/v5/pins/:id', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { id } = mustFind(account, request.params.id)
    return answer(reply, 'delete', account, deps, rejected, () => {
      ledger.removePost('pinterest', id)
      return { status: 204, body: undefined }
    })
  })

  const newestFirst = (account: LedgerAccount, boardId?: string) =>
    ledger
      .posts('pinterest', { accountId: account.externalId })
      .toReversed()
      .filter(({ details }) => Date.parse(detailsSchema.parse(details).listedFrom) <= clock.now())
      .map(shown)
      .filter((pin) => boardId === undefined || pin.board_id === boardId)

  app.get('/v5/pins', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    return reply.send(pageOf(newestFirst(account), decode(pageQuery, request.query)))
  })
  app.get<{ Params: { id: string } }>('/v5/boards/:id/pins', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    mustOwnBoard(account, request.params.id)
    return reply.send(pageOf(newestFirst(account, request.params.id), decode(pageQuery, request.query)))
  })
}

export function shown({ id, createdAt, mediaType, items = [], details }: LedgerPost) {
  const isCarousel = items.length > 1
  const { boardId, boardSectionId, title, description, link, altText } = detailsSchema.parse(details)
  return {
    id,
    // Whole seconds without a zone, as in live answers.
    created_at: createdAt.slice(0, 19),
    board_id: boardId,
    board_section_id: boardSectionId ?? null,
    title: title ?? null,
    description: description ?? null,
    link: link ?? null,
    alt_text: altText ?? null,
    creative_type: isCarousel ? 'CAROUSEL' : mediaType === 'video' ? 'VIDEO' : 'REGULAR',
    media: { media_type: isCarousel ? 'multiple_images' : mediaType },
    is_owner: true,
  }
}
