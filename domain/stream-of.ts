import { account } from './account.ts'
import { apiKey } from './api-key.ts'
import { competitor } from './competitor.ts'
import { credits } from './credits.ts'
import { delivery } from './delivery.ts'
import { streamName } from './event.ts'
import { keyRing } from './key-ring.ts'
import { post } from './post.ts'
import { recyclingRule } from './recycling-rule.ts'
import { reply } from './reply.ts'
import { feed } from './rss-feed.ts'
import { user } from './user.ts'
import { video } from './video.ts'
import { webhook } from './webhook.ts'
import { workspace } from './workspace.ts'

/** Whose streams an id leads to, by what it begins with. */
const KINDS: ReadonlyMap<string, readonly { readonly category: string }[]> = new Map([
  ['post', [post]],
  ['vid', [video]],
  ['rep', [reply]],
  ['wh', [webhook]],
  ['dlv', [delivery]],
  ['feed', [feed]],
  ['rule', [recyclingRule]],
  ['cmp', [competitor]],
  ['acc', [account]],
  ['key', [apiKey]],
  ['user', [user]],
  ['ws', [workspace, credits]],
  ['keyring', [keyRing]],
])

/** The prefixes that ids of resources have. */
export const ID_PREFIXES: readonly string[] = [...KINDS.keys()]

/** The streams in which all stands that happened to a resource; none for what is no id of one. */
export function streamsOf(id: string): readonly string[] {
  const [prefix = '', rest] = id.split('_', 2)
  return rest ? (KINDS.get(prefix) ?? []).map((kind) => streamName(kind, id)) : []
}
