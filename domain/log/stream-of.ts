import { account } from '../account/account.ts'
import { apiKey } from '../workspace/api-key.ts'
import { channel } from '../notification/channel.ts'
import { competitor } from '../analytics/competitor.ts'
import { credits } from '../video/credits.ts'
import { delivery } from '../webhook/delivery.ts'
import { draft } from '../post/draft.ts'
import { erasure } from '../workspace/erasure.ts'
import { streamName } from '../core/event.ts'
import { keyRing } from '../workspace/key-ring.ts'
import { media } from '../media/media.ts'
import { notification } from '../notification/notification.ts'
import { post } from '../post/post.ts'
import { recyclingRule } from '../recycling/recycling-rule.ts'
import { removal } from '../account/removal.ts'
import { reply } from '../conversation/reply.ts'
import { feed } from '../feed/rss-feed.ts'
import { invitation } from '../workspace/invitation.ts'
import { member } from '../workspace/member.ts'
import { user } from '../workspace/user.ts'
import { video } from '../video/video.ts'
import { webhook } from '../webhook/webhook.ts'
import { workspace } from '../workspace/workspace.ts'

/** The stream kinds of a resource id, by id prefix. */
const KINDS: ReadonlyMap<string, readonly { readonly category: string }[]> = new Map([
  ['post', [post]],
  ['draft', [draft]],
  ['vid', [video]],
  ['med', [media]],
  ['rep', [reply]],
  ['wh', [webhook]],
  ['dlv', [delivery]],
  ['chn', [channel]],
  ['ntf', [notification]],
  ['feed', [feed]],
  ['rule', [recyclingRule]],
  ['cmp', [competitor]],
  ['acc', [account]],
  ['key', [apiKey]],
  ['user', [user]],
  ['member', [member]],
  ['inv', [invitation]],
  ['ws', [workspace, credits]],
  ['ers', [erasure]],
  ['rmv', [removal]],
  ['keyring', [keyRing]],
])

/** The prefixes of resource ids. */
export const ID_PREFIXES: readonly string[] = [...KINDS.keys()]

/** The streams that hold a resource's history; empty for anything but a resource id. */
export function streamsOf(id: string): readonly string[] {
  const [prefix = '', rest] = id.split('_', 2)
  return rest ? (KINDS.get(prefix) ?? []).map((kind) => streamName(kind, id)) : []
}
