import * as z from 'zod'
import { text } from '../core/text.ts'
import { editResult, unpublishResult } from './follow-up.ts'

/** A part of a chain that an account has: its id on the platform, and its permalink. */
export const publishedPart = z.object({ postId: text(1000), url: text(2000).optional() })
export type PublishedPart = Readonly<z.infer<typeof publishedPart>>

const succeeded = z.object({
  accountId: z.string(),
  ok: z.literal(true),
  postId: text(1000),
  url: text(2000).optional(),
  /** All parts of a chain; the first is the one above. */
  parts: z.array(publishedPart).optional(),
  /** What somebody still has to do on the platform, as a sentence. */
  note: text(2000).optional(),
  firstComment: z.object({ ok: z.boolean(), error: text(2000).optional() }).optional(),
  /** Absent unless somebody asked to delete the post. */
  unpublish: unpublishResult.optional(),
  /** Absent unless somebody edited the post since. */
  edit: editResult.optional(),
})
const failed = z.object({
  /** Absent for a platform without an account. */
  accountId: z.string().optional(),
  ok: z.literal(false),
  error: text(2000),
  outcome: z.literal('unknown').optional(),
  /** The parts of a chain that the account has all the same. */
  parts: z.array(publishedPart).optional(),
  /** Of these parts. Absent unless somebody asked to delete them. */
  unpublish: unpublishResult.optional(),
})

/** One item of `publishResults` (api-spec §2, Post; decisions "Posts"). */
export const publishResult = z.discriminatedUnion('ok', [succeeded, failed])
/** The outcomes of a post, by platform. */
export const publishResults = z.record(z.string(), z.array(publishResult).readonly())

export type PublishResult = z.infer<typeof publishResult>
export type PublishResults = Readonly<z.infer<typeof publishResults>>
