import { createHash } from 'node:crypto'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import { graphTime } from '../meta/fields.ts'
import type { StandInDeps } from '../stand-in.ts'

export function postOf({ externalId }: LedgerAccount, id: string, { ledger }: StandInDeps): LedgerPost | undefined {
  const post = ledger.post('threads', id)
  return post?.accountId === externalId ? post : undefined
}

/** A post with every field that can be asked for. */
export function shown({ id, caption, mediaType, mediaUrl, createdAt }: LedgerPost, { label }: LedgerAccount) {
  const shortcode = createHash('sha256').update(id).digest('base64url').slice(0, 11)
  return {
    id,
    // Absent from the answer of a post without text.
    text: caption === '' ? undefined : caption,
    media_type: mediaType === 'image' ? 'IMAGE' : 'VIDEO',
    media_url: mediaUrl,
    media_product_type: 'THREADS',
    permalink: `https://www.threads.com/@${label}/post/${shortcode}`,
    shortcode,
    timestamp: graphTime(createdAt),
    username: label,
    has_replies: false,
    is_quote_post: false,
  }
}
