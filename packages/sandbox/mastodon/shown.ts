import type { LedgerAccount, LedgerMedia, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { postCounts } from './counts.ts'
import { shownHtml } from './html.ts'
import { shownMedia } from './media.ts'
import { HOST, personOf, profileUrl, shownPerson, type Person } from './people.ts'

/** What every post has, whoever wrote it. */
export interface Written {
  readonly id: string
  readonly author: Person
  readonly text: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly inReplyTo?: { readonly id: string; readonly authorId: string } | undefined
  readonly media?: readonly LedgerMedia[]
  /** Of the post's own, such as its visibility. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly mentions?: readonly Person[]
}

/** A `Status` as the API shows it. */
export function shownStatus(written: Written, deps: StandInDeps): object {
  const { id, author, text, createdAt, inReplyTo, media = [], details = {}, mentions = [] } = written
  const url = `${profileUrl(author.username)}/${id}`
  const isKnown = (username: string) => [author, ...mentions].some((person) => person.username === username)
  return {
    ...{ id, created_at: createdAt, url, uri: `https://${HOST}/users/${author.username}/statuses/${id}` },
    in_reply_to_id: inReplyTo?.id ?? null,
    in_reply_to_account_id: inReplyTo?.authorId ?? null,
    ...{ visibility: 'public', sensitive: false, spoiler_text: '', language: 'en', edited_at: null, ...details },
    ...{ content: shownHtml(text, isKnown), reblog: null, account: shownPerson(author) },
    media_attachments: media.map((each) => shownMedia(each, deps)),
    mentions: mentions.map(({ id: of, username }) => ({ id: of, username, acct: username, url: profileUrl(username) })),
    ...{ tags: [], emojis: [], card: null, poll: null, ...postCounts(id, deps.clock.now() - Date.parse(createdAt)) },
  }
}

/** A post of one of the sandbox's accounts. */
export function writtenBy(account: LedgerAccount, post: LedgerPost, { ledger }: StandInDeps): Written {
  const { mediaIds, ...details } = post.details ?? {}
  const author = personOf(account)
  const ids: readonly unknown[] = Array.isArray(mediaIds) ? mediaIds : []
  return {
    ...{ id: post.id, author, text: post.caption, createdAt: post.createdAt, details },
    inReplyTo: post.inReplyTo === undefined ? undefined : { id: post.inReplyTo, authorId: author.id },
    media: ids.flatMap((id) => ledger.media('mastodon', String(id)) ?? []),
  }
}
