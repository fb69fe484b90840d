import { createHash } from 'node:crypto'
import type { LedgerAccount, LedgerComment } from '../ledger.ts'
import { personOf, type Person } from './people.ts'
import type { Written } from './shown.ts'

/** Somebody who writes to the sandbox's accounts, on another server. Their name alone defines them. */
export function fanOf(author: string): Person {
  const digest = createHash('sha256').update(author).digest()
  const name = author.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  const username = `${name.slice(0, 20)}_${digest.readUInt16BE(0)}`.replaceAll(/_+/g, '_')
  return {
    id: `2${digest.readUIntBE(0, 6)}`,
    username: username.replace(/^_/, ''),
    name: author,
    since: '2024-01-01T00:00:00.000Z',
  }
}

/** A comment, or the account's reply to it. Whoever replies names the other, as apps do. */
export function writtenIn(comment: LedgerComment, account: LedgerAccount): Written {
  const { id, text, createdAt, postId, inReplyTo, writtenBy, details = {} } = comment
  const own = personOf(account)
  if (writtenBy === 'fan') {
    const above = postId === undefined ? undefined : { id: postId, authorId: own.id }
    const said = `@${own.username} ${text}`
    return { id, author: fanOf(comment.author), text: said, createdAt, inReplyTo: above, mentions: [own] }
  }
  const { status, to, ...shown } = details
  const above = inReplyTo === undefined ? undefined : { id: inReplyTo, authorId: String(to) }
  return { id, author: own, text: String(status), createdAt, inReplyTo: above, details: shown }
}
