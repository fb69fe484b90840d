import * as z from 'zod'
import { MEDIA_TYPES, PLATFORM_KEYS, POST_TYPES } from '../../domain/core/platform.ts'

const platform = z.enum(PLATFORM_KEYS)

const accountSchema = z.object({
  platform,
  /** The platform's id of the account. */
  externalId: z.string(),
  label: z.string(),
  /** As issued by its stand-in. */
  secrets: z.record(z.string(), z.string()),
  createdAt: z.string(),
})
export type LedgerAccount = Readonly<z.infer<typeof accountSchema>>

const appSchema = z.object({
  platform,
  clientId: z.string(),
  clientSecret: z.string(),
  redirectUri: z.string(),
  /** The scopes that its products or its configuration cover; absent: all. */
  scopes: z.array(z.string()).optional(),
  /** Its configuration, where a platform has such. */
  configId: z.string().optional(),
})
/** An app registered with the platform, for consent in a browser. */
export type LedgerApp = Readonly<z.infer<typeof appSchema>>

const reviewSchema = z.object({ platform, isReviewed: z.boolean() })
/** Whether a platform has reviewed the apps. */
export type LedgerReview = Readonly<z.infer<typeof reviewSchema>>

const urlPropertiesSchema = z.object({
  platform,
  /** Domains, such as `example.com`, and URL prefixes, such as `https://example.com/media/`. Absent: this machine. */
  verified: z.array(z.string()).optional(),
})
/** What is verified for the apps of a platform that fetches only from there. */
export type LedgerUrlProperties = Readonly<z.infer<typeof urlPropertiesSchema>>

const mediaSchema = z.object({
  id: z.string(),
  platform,
  accountId: z.string(),
  mediaType: z.enum(MEDIA_TYPES),
  mimeType: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  /** The URL that the uploader named as the source. */
  sourceUrl: z.string().optional(),
  /** Platform-specific data. Plain JSON. */
  details: z.record(z.string(), z.unknown()).optional(),
})
export type LedgerMedia = Readonly<z.infer<typeof mediaSchema>>

const itemSchema = z.object({ mediaUrl: z.string(), mediaType: z.enum(MEDIA_TYPES), altText: z.string().optional() })
/** What a post shows. */
export type LedgerItem = Readonly<z.infer<typeof itemSchema>>

const postSchema = z.object({
  id: z.string(),
  platform,
  /** `externalId` of the account. */
  accountId: z.string(),
  /** The caller's own key: a client token, a record key. Not unique: two posts with the same token are a double post. */
  token: z.string().optional(),
  /** The post of the account that it replies to. */
  inReplyTo: z.string().optional(),
  caption: z.string(),
  /** Empty for text alone. */
  mediaUrl: z.string(),
  mediaType: z.enum(POST_TYPES),
  /** All that it shows, in order, where that is more than the above. */
  items: z.array(itemSchema).optional(),
  /** When it was published here, ISO 8601 UTC. */
  createdAt: z.string(),
  /** It is not live: it waits for its owner to publish it. */
  isDraft: z.literal(true).optional(),
  /** Only its owner sees it. */
  isHidden: z.literal(true).optional(),
  /** How many people it reaches, as a share of the most that a post does here; absent: by chance. */
  reach: z.number().optional(),
  /** Platform-specific data. Plain JSON. */
  details: z.record(z.string(), z.unknown()).optional(),
})
export type LedgerPost = Readonly<z.infer<typeof postSchema>>

const commentSchema = z.object({
  id: z.string(),
  platform,
  /** The receiving account. */
  accountId: z.string(),
  /** Absent for a mention outside the account's own posts. */
  postId: z.string().optional(),
  /** The comment that it replies to. */
  inReplyTo: z.string().optional(),
  token: z.string().optional(),
  /** `account` when the account itself wrote it, through its connector. */
  writtenBy: z.enum(['account', 'fan']),
  author: z.string(),
  text: z.string(),
  createdAt: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
})
export type LedgerComment = Readonly<z.infer<typeof commentSchema>>

/** One line of the ledger's file. */
export const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account'), value: accountSchema }),
  z.object({ kind: z.literal('app'), value: appSchema }),
  z.object({ kind: z.literal('review'), value: reviewSchema }),
  z.object({ kind: z.literal('url-properties'), value: urlPropertiesSchema }),
  z.object({ kind: z.literal('media'), value: mediaSchema }),
  z.object({ kind: z.literal('post'), value: postSchema }),
  z.object({ kind: z.literal('post-replaced'), value: postSchema }),
  z.object({ kind: z.literal('post-removed'), value: z.object({ platform, id: z.string() }) }),
  z.object({ kind: z.literal('comment'), value: commentSchema }),
  z.object({ kind: z.literal('comment-removed'), value: z.object({ platform, id: z.string() }) }),
])
export type Entry = z.infer<typeof entrySchema>
