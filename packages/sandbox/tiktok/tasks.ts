import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { digits } from './ids.ts'
import { refusal } from './refusal.ts'
import { accountScript } from './script.ts'

const PUBLIC = 'PUBLIC_TO_EVERYONE'

const taskSchema = z.object({
  /** The description of a photo, the title of a video. Of a video for the inbox: empty. */
  caption: z.string(),
  /** Whether it is uploaded to the creator's inbox, not posted. */
  isForInbox: z.boolean().default(false),
  /** `post_info` as received. */
  info: z.record(z.string(), z.unknown()),
  /** Photos only: the first, and the others. */
  url: z.string().optional(),
  more: z.array(z.string()).optional(),
  /** Videos only: how it is uploaded. */
  upload: z
    .object({ bytes: z.number(), chunkBytes: z.number(), count: z.number(), token: z.string(), endsAt: z.number() })
    .optional(),
})

/** A requested post, live or not. */
export interface Task extends Readonly<z.infer<typeof taskSchema>> {
  readonly publishId: string
  readonly accountId: string
  readonly mediaType: keyof typeof NAMES
}

const NAMES = {
  video: { direct: 'v_pub_file~v2.', inbox: 'v_inbox_file~v2.' },
  image: { direct: 'p_pub_url~v2.', inbox: 'p_inbox_url~v2.' },
} as const

/** Stores the task in the ledger, as media that are still to come. */
export function addTask(
  { externalId: accountId }: LedgerAccount,
  mediaType: Task['mediaType'],
  given: z.infer<typeof taskSchema>,
  { ledger, ids }: StandInDeps,
): Task {
  const publishId = `${NAMES[mediaType][given.isForInbox ? 'inbox' : 'direct']}${digits(ids)}`
  const none = { mimeType: 'application/octet-stream', bytes: 0, sha256: '' }
  ledger.addMedia({ id: publishId, platform: 'tiktok', accountId, mediaType, ...none, details: given })
  return { ...given, publishId, accountId, mediaType }
}

export function findTask(publishId: string, { ledger }: StandInDeps): Task | undefined {
  const kept = ledger.media('tiktok', publishId)
  if (!kept?.details) return undefined
  const { accountId } = kept
  const mediaType = kept.mediaType === 'video' ? 'video' : 'image'
  return { ...taskSchema.parse(kept.details), publishId, accountId, mediaType }
}

/** @throws StandInRefusal 400 */
export function ownTask({ externalId }: LedgerAccount, publishId: string, deps: StandInDeps): Task {
  const task = findTask(publishId, deps)
  if (!task) throw refusal('invalid_publish_id', 'The publish_id does not exist.')
  if (task.accountId !== externalId) throw refusal('token_not_authorized_for_specified_publish_id')
  return task
}

/** The end of an upload's URL identifies its task. */
export function uploadIdOf({ publishId }: Task): string {
  return publishId.slice(publishId.indexOf('.') + 1)
}

export function taskOfUpload(uploadId: string, deps: StandInDeps): Task | undefined {
  const tasks = Object.values(NAMES.video).map((name) => findTask(`${name}${uploadId}`, deps))
  return tasks.find((task) => task !== undefined)
}

export function postOf({ accountId, publishId: token }: Task, { ledger }: StandInDeps): LedgerPost | undefined {
  return ledger.posts('tiktok', { accountId, token })[0]
}

/**
 * Publishes the post, or notifies the creator's inbox. Its publish id is the post's token: two posts with the same one are a double
 * post.
 */
export function goLive(
  { publishId: token, accountId, mediaType, caption, isForInbox, info, url, more = [] }: Task,
  content: { readonly mimeType: string; readonly bytes: number; readonly sha256: string },
  { ledger, clock, ids, baseUrl }: StandInDeps,
): void {
  const id = digits(ids)
  const { postsDrafts } = accountScript(ledger.account('tiktok', accountId)?.label ?? '')
  const further =
    isForInbox && (postsDrafts ? { details: { ...info, privacy_level: PUBLIC } } : { isDraft: true as const })
  ledger.addMedia({ id, platform: 'tiktok', accountId, mediaType, ...content })
  ledger.addPost({
    id,
    platform: 'tiktok',
    accountId,
    token,
    caption,
    mediaUrl: url ?? `${baseUrl()}/media/${id}`,
    mediaType,
    ...(url !== undefined && { items: [url, ...more].map((mediaUrl) => ({ mediaUrl, mediaType })) }),
    createdAt: isoTime(clock.now()),
    details: info,
    ...further,
  })
}

export function isPublic({ details }: LedgerPost): boolean {
  return details?.['privacy_level'] === PUBLIC
}
