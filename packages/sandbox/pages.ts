import type { FastifyInstance } from 'fastify'
import { isPlatformKey, PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { Files } from './files.ts'
import type { Ledger, LedgerItem, LedgerPost } from './ledger.ts'
import { isWeb } from './html.ts'
import { missingPage, PAGE_HEADERS, postPage, type ShownItem, type ShownPost } from './post-page.ts'
import { sandboxPageUrl } from '../../infra/runtime/sandbox-page.ts'
import { serve } from './samples.ts'

interface Deps {
  readonly ledger: Ledger
  readonly files: Files
}

/** Where a stand-in describes what was uploaded to it. The port may have changed since. */
const UPLOADED = /^http:\/\/127\.0\.0\.1:\d+\/(\w+)\/(?:v5\/)?(?:media|blobs)\/(.+)$/

/** `/posts/<platform>/<id>`: each post as a page, whatever its platform. */
export function registerPages(app: FastifyInstance, deps: Deps): void {
  const { ledger, files } = deps

  app.get<{ Params: { platform: string; id: string } }>('/:platform/:id', (request, reply) => {
    const { platform, id } = request.params
    reply.headers(PAGE_HEADERS)
    if (!isPlatformKey(platform)) return reply.code(404).send(missingPage('Fanfare', 'There is no such platform.'))
    const post = ledger.post(platform, id)
    if (post) return reply.send(postPage(shownPost(post, deps)))
    // The parts of a chain are replies on some platforms.
    const above = ledger.comment(platform, id)?.postId
    if (above !== undefined) return reply.redirect(sandboxPageUrl('', platform, above))
    const why = ledger.wasRemoved(platform, id) ? 'This post has been removed.' : 'There is no such post.'
    return reply.code(404).send(missingPage(PLATFORM_NAMES[platform], why))
  })

  app.get<{ Params: { platform: PlatformKey; id: string } }>('/:platform/media/:id', (request, reply) => {
    const { platform, id } = request.params
    const media = ledger.media(platform, id)
    const content = media && files.content(media.sha256)
    if (!media || !content) return reply.callNotFound()
    // Whatever was uploaded, no browser runs it.
    reply.headers({ 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" })
    return serve({ type: media.mimeType, content, etag: `"${media.sha256.slice(0, 32)}"` }, request, reply)
  })
}

function shownPost(post: LedgerPost, deps: Deps): ShownPost {
  const { platform, accountId, id } = post
  const { ledger } = deps
  const own = { mediaUrl: post.mediaUrl, mediaType: post.mediaType }
  const items = (post.items ?? [own]).flatMap((item) => (isItem(item) ? [shownItem(item, platform, deps)] : []))
  return {
    post,
    items,
    account: ledger.account(platform, accountId),
    comments: ledger.commentsUnder(platform, id),
    replies: ledger
      .posts(platform, { accountId })
      .filter(({ inReplyTo }) => inReplyTo === id)
      .map((reply) => shownPost(reply, deps)),
  }
}

function isItem(item: Pick<LedgerPost, 'mediaUrl' | 'mediaType'>): item is LedgerItem {
  return item.mediaType !== 'text'
}

function shownItem({ mediaUrl, ...item }: LedgerItem, platform: PlatformKey, deps: Deps): ShownItem {
  const [, name, id] = UPLOADED.exec(mediaUrl) ?? []
  if (id === undefined || name !== platform) return { ...item, url: isWeb(mediaUrl) ? mediaUrl : undefined }
  const media = deps.ledger.media(platform, decodeURIComponent(id))
  const isKept = media !== undefined && deps.files.has(media.sha256)
  return { ...item, url: isKept ? `/posts/${platform}/media/${encodeURIComponent(media.id)}` : undefined }
}
