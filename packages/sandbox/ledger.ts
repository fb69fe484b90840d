import { join } from 'node:path'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { openJournal } from './journal.ts'
import {
  entrySchema,
  type Entry,
  type LedgerAccount,
  type LedgerApp,
  type LedgerComment,
  type LedgerMedia,
  type LedgerPost,
  type LedgerReview,
  type LedgerUrlProperties,
} from './ledger-entry.ts'

export type {
  LedgerAccount,
  LedgerApp,
  LedgerComment,
  LedgerItem,
  LedgerMedia,
  LedgerPost,
  LedgerReview,
} from './ledger-entry.ts'

/**
 * The platforms' state. Everything saved is on disk (when the ledger has a file) before the call returns, so whatever was
 * acknowledged survives a crash. Lists are in order of publication.
 */
export interface Ledger {
  /** Adds the account, or replaces the one with the same `externalId`. */
  saveAccount(account: LedgerAccount): void
  account(platform: PlatformKey, externalId: string): LedgerAccount | undefined
  accounts(platform: PlatformKey): readonly LedgerAccount[]
  addApp(app: LedgerApp): void
  app(platform: PlatformKey, clientId: string): LedgerApp | undefined
  saveReview(review: LedgerReview): void
  /** Whether the platform has reviewed the apps: approved them for advanced access, more than a trial, or the public. Default: yes. */
  isReviewed(platform: PlatformKey): boolean
  saveUrlProperties(properties: LedgerUrlProperties): void
  /** The domains and URL prefixes that are verified for the apps; undefined: this machine. */
  verifiedUrls(platform: PlatformKey): readonly string[] | undefined
  addMedia(media: LedgerMedia): void
  media(platform: PlatformKey, id: string): LedgerMedia | undefined
  /** Never refuses: whether a token may repeat is up to the stand-in. */
  addPost(post: LedgerPost): void
  /** For a post that is edited: it keeps its id, and its place in lists. */
  replacePost(post: LedgerPost): void
  /** For a post that is deleted or about to be replaced. Frees its id. */
  removePost(platform: PlatformKey, id: string): void
  post(platform: PlatformKey, id: string): LedgerPost | undefined
  /** Whether there was such a post, and is none any more. */
  wasRemoved(platform: PlatformKey, id: string): boolean
  posts(platform: PlatformKey, of?: { accountId: string; token?: string }): readonly LedgerPost[]
  addComment(comment: LedgerComment): void
  /** For a comment that is deleted or about to be replaced. Frees its id. */
  removeComment(platform: PlatformKey, id: string): void
  comment(platform: PlatformKey, id: string): LedgerComment | undefined
  commentsUnder(platform: PlatformKey, postId: string, token?: string): readonly LedgerComment[]
  /** Everything the account received, under its posts or elsewhere. */
  commentsOf(platform: PlatformKey, accountId: string): readonly LedgerComment[]
  close(): void
}

/** Rows by id, and in order under any number of other keys: no lookup scans. */
function table<Row>(indexes: Readonly<Record<string, (row: Row) => string | undefined>>) {
  const byId = new Map<string, Row>()
  const lists = new Map<string, Row[]>()
  return {
    get: (id: string) => byId.get(id),
    list: (index: string, value: string): readonly Row[] => lists.get(key(index, value)) ?? [],
    add: (id: string, row: Row) => {
      if (byId.has(id)) throw new Error(`id ${id} is taken`)
      byId.set(id, row)
      for (const [index, valueOf] of Object.entries(indexes)) {
        const value = valueOf(row)
        if (value === undefined) continue
        const list = lists.get(key(index, value))
        if (list) list.push(row)
        else lists.set(key(index, value), [row])
      }
    },
    replace: (id: string, row: Row) => {
      const before = byId.get(id)
      if (before === undefined) throw new Error(`there is no row ${id}`)
      byId.set(id, row)
      for (const [index, valueOf] of Object.entries(indexes)) {
        const value = valueOf(before)
        if (value !== valueOf(row)) throw new Error(`${index} of row ${id} cannot change`)
        const list = value === undefined ? undefined : lists.get(key(index, value))
        list?.splice(list.indexOf(before), 1, row)
      }
    },
    remove: (id: string) => {
      const row = byId.get(id)
      if (row === undefined) return
      byId.delete(id)
      for (const [index, valueOf] of Object.entries(indexes)) {
        const value = valueOf(row)
        const list = value === undefined ? undefined : lists.get(key(index, value))
        list?.splice(list.indexOf(row), 1)
      }
    },
  }
}

/** Injective: different lists of parts never share a key. */
function key(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

/**
 * @param dataDir an existing folder; the ledger is its file `ledger.ndjson`. Without one it is in memory only.
 * @throws when the file cannot be opened, or any line but the last is invalid
 */
export function openLedger(dataDir?: string): Ledger {
  const accounts = new Map<string, LedgerAccount>()
  const apps = new Map<string, LedgerApp>()
  const unreviewed = new Set<PlatformKey>()
  const urlProperties = new Map<PlatformKey, LedgerUrlProperties>()
  const media = new Map<string, LedgerMedia>()
  const posts = table<LedgerPost>({
    platform: (post) => post.platform,
    account: (post) => key(post.platform, post.accountId),
    token: (post) => (post.token === undefined ? undefined : key(post.platform, post.accountId, post.token)),
  })
  const removed = new Set<string>()
  const comments = table<LedgerComment>({
    account: (comment) => key(comment.platform, comment.accountId),
    post: ({ platform, postId }) => (postId === undefined ? undefined : key(platform, postId)),
    token: ({ platform, postId, token }) =>
      postId === undefined || token === undefined ? undefined : key(platform, postId, token),
  })

  const apply = ({ kind, value }: Entry): void => {
    switch (kind) {
      case 'account':
        return void accounts.set(key(value.platform, value.externalId), value)
      case 'app':
        return void apps.set(key(value.platform, value.clientId), value)
      case 'review':
        return void (value.isReviewed ? unreviewed.delete(value.platform) : unreviewed.add(value.platform))
      case 'url-properties':
        return void urlProperties.set(value.platform, value)
      case 'media':
        return void media.set(key(value.platform, value.id), value)
      case 'post':
        return posts.add(key(value.platform, value.id), value)
      case 'post-replaced':
        return posts.replace(key(value.platform, value.id), value)
      case 'post-removed':
        removed.add(key(value.platform, value.id))
        return posts.remove(key(value.platform, value.id))
      case 'comment':
        return comments.add(key(value.platform, value.id), value)
      case 'comment-removed':
        return comments.remove(key(value.platform, value.id))
    }
  }

  const journal =
    dataDir === undefined
      ? undefined
      : openJournal(join(dataDir, 'ledger.ndjson'), (line) => apply(entrySchema.parse(JSON.parse(line))))
  const save = (entry: Entry): void => {
    journal?.append(JSON.stringify(entry))
    apply(entry)
  }

  return {
    saveAccount: (value) => save({ kind: 'account', value }),
    account: (platform, externalId) => accounts.get(key(platform, externalId)),
    accounts: (platform) => [...accounts.values()].filter((account) => account.platform === platform),
    addApp: (value) => save({ kind: 'app', value }),
    app: (platform, clientId) => apps.get(key(platform, clientId)),
    saveReview: (value) => save({ kind: 'review', value }),
    isReviewed: (platform) => !unreviewed.has(platform),
    saveUrlProperties: (value) => save({ kind: 'url-properties', value }),
    verifiedUrls: (platform) => urlProperties.get(platform)?.verified,
    addMedia: (value) => save({ kind: 'media', value }),
    media: (platform, id) => media.get(key(platform, id)),
    addPost: (value) => save({ kind: 'post', value }),
    replacePost: (value) => save({ kind: 'post-replaced', value }),
    removePost: (platform, id) => save({ kind: 'post-removed', value: { platform, id } }),
    post: (platform, id) => posts.get(key(platform, id)),
    wasRemoved: (platform, id) => removed.has(key(platform, id)) && !posts.get(key(platform, id)),
    posts: (platform, of) => {
      if (!of) return posts.list('platform', platform)
      if (of.token === undefined) return posts.list('account', key(platform, of.accountId))
      return posts.list('token', key(platform, of.accountId, of.token))
    },
    addComment: (value) => save({ kind: 'comment', value }),
    removeComment: (platform, id) => save({ kind: 'comment-removed', value: { platform, id } }),
    comment: (platform, id) => comments.get(key(platform, id)),
    commentsUnder: (platform, postId, token) =>
      token === undefined
        ? comments.list('post', key(platform, postId))
        : comments.list('token', key(platform, postId, token)),
    commentsOf: (platform, accountId) => comments.list('account', key(platform, accountId)),
    close: () => journal?.close(),
  }
}
