import { checkedOptions } from '../kit/checked-options.ts'
import { theOne, unlessRefused } from '../kit/find-by-content.ts'
import type { OtherPosts, Outlook, PlatformIo, Published, PublishJob, Search } from '../kit/platform.ts'
import { marksOf, type Handle } from './handle.ts'
import { mastodonOptions } from './options.ts'
import { ownStatuses, publishedAs, type OwnStatuses, type Status } from './own-statuses.ts'
import { areAlike, isFormatted, plainText } from './text.ts'

/** Looks for the account's post since the first upload that shows one of our uploads. */
export async function find(job: PublishJob, handle: Handle, io: PlatformIo): Promise<Outlook> {
  const ours = new Set([...handle.earlier, ...marksOf(handle)])
  const { listed, isWhole } = await postsOf(job, Date.parse(handle.since), io)
  const isOurs = ({ media_attachments }: Status) =>
    media_attachments.some(({ id, url }) => ours.has(id) || ours.has(url ?? id))
  const [found, ...more] = listed.filter(isOurs)
  if (!found) return { outcome: isWhole ? 'absent' : 'unknown' }
  return more.length > 0 ? { outcome: 'unknown' } : { outcome: 'found', found: publishedAs(found, job.account) }
}

/** Looks for the account's post, or reply of a chain, with the job's text. @throws PlatformError if a later search may give an answer */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  return unlessRefused(async () => {
    const { mediaType, inReplyTo } = job
    const { listed, isWhole } = await postsOf(job, since, io)
    const inPlace = listed.filter(
      ({ in_reply_to_id, media_attachments }) =>
        media_attachments.length > 0 === (mediaType !== 'text') &&
        (in_reply_to_id ?? undefined) === inReplyTo?.previous.postId,
    )
    return theOne(job, alikeIn(job.text, { listed: inPlace, isWhole }), tellingFor(job), others)
  })
}

/**
 * The posts with this text, and whether those are certainly all.
 *
 * @param partOf what of the texts is compared. Default: all
 */
export function alikeIn(text: string, { listed, isWhole }: OwnStatuses, partOf = (whole: string) => whole) {
  const alike = listed.filter((status) => areAlike(partOf(text), partOf(shownText(status))))
  // What formatting has left of a text may be any.
  return { alike, isWhole: isWhole && listed.every(isReadable) }
}

function shownText({ text, content }: Status): string {
  return text ?? plainText(content)
}

function isReadable({ text, content }: Status): boolean {
  return typeof text === 'string' || !isFormatted(content)
}

function postsOf(job: PublishJob, since: number, io: PlatformIo): Promise<OwnStatuses> {
  const { visibility = 'public' } = checkedOptions(mastodonOptions, job)
  return ownStatuses(job.account, since, visibility, io)
}

function tellingFor({ account }: Pick<PublishJob, 'account'>) {
  return {
    listed: ({ id, created_at: createdAt }: Status) => ({ id, createdAt }),
    published: (status: Status) => publishedAs(status, account),
  }
}
