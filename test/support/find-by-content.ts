import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PlatformKey, PostType } from '../../domain/core/platform.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import type {
  OtherPosts,
  Platform,
  PlatformIo,
  Published,
  PublishHandle,
  PublishJob,
} from '../../platforms/kit/platform.ts'
import { platforms } from '../../platforms/registry.ts'
import { tidFor } from '../../platforms/bluesky/tid.ts'
import type { LedgerPost } from '../../packages/sandbox/ledger.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { sample } from './media-samples.ts'
import { movableClock } from './movable-clock.ts'
import { httpServer, listening } from './outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, memoryCredentials } from './sandbox.ts'

/** Links, emoji, both kinds of line break, what NFC composes and what it leaves, and blanks behind. */
export const TEXT =
  'Cafe\u0301 cre\u0300me, \ufb01ne \u{1f304}\r\n\r\nSee https://example.com/a?b=1 & more\nat example.com/menu #hills  \r\n '

export interface Kind {
  readonly platform: PlatformKey
  readonly mediaType: PostType
  /** Of the stand-in's own media, or of a landscape. */
  readonly media: 'sample' | 'landscape'
}

/**
 * An account, and what is needed to publish there and to look for it.
 *
 * @param front puts a server before that at a URL, and returns its own
 */
export async function givenScene(
  t: Test,
  { platform: key, mediaType, media }: Kind,
  { externalId, front = async (url) => url }: { externalId?: string; front?: (url: string) => Promise<string> } = {},
) {
  const platform = platforms[key]
  const clock = movableClock()
  const sandbox = await givenSandbox(t, { clock })
  const http = givenHttp(t)
  const made = await givenAccount(http, sandbox, key, externalId === undefined ? {} : { externalId })
  const given = { ...made, baseUrl: made.baseUrl.replace(sandbox.url, await front(sandbox.url)) }
  const bare = {
    http,
    clock,
    media: mediaSource({ http, clock, directory: join(t.testdir(), 'spool') }),
    signal: AbortSignal.timeout(120_000),
  }
  const fields = Object.entries(given.credentials).filter(([name]) => name in platform.credentials.shape)
  const { credentials } = await platform.connect(Object.fromEntries(fields), given.baseUrl, bare)
  const io: PlatformIo = { ...bare, credentials: memoryCredentials(credentials) }
  const landscape = await httpServer(t, (_request, response) => void response.end(sample('clip.mp4')))
  const name = mediaType === 'image' ? 'sample.jpg' : 'sample.mp4'
  const mediaUrl = media === 'sample' ? `${sandbox.url}/media/${name}` : `${landscape.url}/clip.mp4`
  const ofKind = mediaType === 'text' ? { mediaUrl: '', mediaType, media: [] } : { mediaUrl, mediaType }
  const job = (text = TEXT): PublishJob => ({
    key: crypto.randomUUID(),
    account: accountOf(key, given),
    ...ofKind,
    text,
    queuedAt: isoTime(clock.now()),
  })
  const later = (ms: number): Promise<void> => clock.advanceTo(clock.now() + ms)
  return {
    sandbox,
    clock,
    http,
    io,
    job,
    later,
    publish: (one: PublishJob): Promise<Published> => published(platform, one, io, later),
    /** The post as it stands in the ledger. */
    live: ({ postId }: Published): LedgerPost => {
      const post = sandbox.ledger.post(key, postId)
      if (!post) throw new Error(`${postId} is not live`)
      return post
    },
    look: (
      one: PublishJob,
      since: number,
      { others, with: otherIo = io }: { readonly others?: OtherPosts; readonly with?: PlatformIo } = {},
    ) => (platform.findByContent as NonNullable<Platform['findByContent']>)(one, since, otherIo, others),
  }
}
export type Scene = Awaited<ReturnType<typeof givenScene>>

/** Publishes as the service does, letting the time pass that is asked for. */
async function published(
  platform: Platform,
  job: PublishJob,
  io: PlatformIo,
  later: (ms: number) => Promise<void>,
): Promise<Published> {
  let handle: PublishHandle | undefined
  for (;;) {
    const prepared = await platform.prepare(job, io, handle)
    handle = JSON.parse(JSON.stringify(prepared.handle)) as PublishHandle
    if (prepared.outcome === 'ready') break
    await later(prepared.lookAgainMs)
  }
  let publishing = await platform.publish(job, handle, io)
  for (;;) {
    if (publishing.outcome === 'published') return publishing.published
    handle = publishing.handle ?? handle
    await later(publishing.lookAgainMs)
    if (platform.proof[job.mediaType] === 'idempotent-key') {
      publishing = await platform.publish(job, handle, io)
      continue
    }
    const outlook = await platform.find?.(job, handle, io)
    if (outlook?.outcome === 'found') return outlook.found
    if (outlook?.outcome !== 'processing') throw new Error(`it was not published: ${JSON.stringify(outlook)}`)
    publishing = outlook
  }
}

/** So many posts of another text, as new as the given one. */
export function crowd({ sandbox }: Scene, post: LedgerPost, many: number): void {
  for (let count = 0; count < many; count += 1) sandbox.ledger.addPost({ ...post, ...named(post, count) })
}

function named(post: LedgerPost, count: number): Pick<LedgerPost, 'id' | 'caption' | 'details'> {
  const caption = `Another ${count}`
  if (post.platform === 'bluesky') {
    const rkey = tidFor(`another ${count}`, post.createdAt)
    const details = { ...post.details, record: { text: caption } }
    return { id: post.id.slice(0, post.id.lastIndexOf('/') + 1) + rkey, caption, details }
  }
  const first = post.id.at(-6) === '7' ? '8' : '7'
  const id = `${post.id.slice(0, -6)}${first}${String(count).padStart(5, '0')}`
  return { id, caption, details: reworded(post.details ?? {}, () => caption) }
}

/** The post as a platform may show it: composed, trimmed, with one kind of line break. */
export function tidied({ sandbox }: Scene, post: LedgerPost): void {
  const tidy = (text: string): string => text.normalize('NFC').replaceAll('\r\n', '\n').trim()
  sandbox.ledger.removePost(post.platform, post.id)
  sandbox.ledger.addPost({ ...post, caption: tidy(post.caption), details: reworded(post.details ?? {}, tidy) })
}

/** What an account's posts say stands in these, too. */
const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'summary', 'commentary'])

function reworded(details: object, to: (text: string) => string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      WORDS.has(name) && typeof value === 'string' ? to(value) : value,
    ]),
  )
}

/** A platform that answers everything so. */
export async function answering(t: Test, io: PlatformIo, status: number, body = '{}'): Promise<PlatformIo> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body))
  const { url } = await listening(t, server)
  const http: Http = { ...io.http, request: (_url, request) => io.http.request(url, request) }
  return { ...io, http }
}

/** What is known of other posts: that these are theirs. */
export function ruledOut(...ids: readonly string[]): OtherPosts {
  return async () => ({ ruledOut: new Set(ids), doubt: 'none' })
}
