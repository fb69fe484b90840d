import type { Test } from 'tap'
import type { Conversation, FetchedComment, ReplyJob } from '../../platforms/kit/conversation.ts'
import { facebook } from '../../platforms/facebook/index.ts'
import { instagram } from '../../platforms/instagram/index.ts'
import type { Platform, PlatformErrorKind, PlatformIo } from '../../platforms/kit/platform.ts'
import { threads } from '../../platforms/threads/index.ts'
import { facebookStandIn } from '../../packages/sandbox/facebook.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import { instagramStandIn } from '../../packages/sandbox/instagram.ts'
import type { LedgerComment, LedgerPost } from '../../packages/sandbox/ledger.ts'
import type { StandIn } from '../../packages/sandbox/stand-in.ts'
import { threadsStandIn } from '../../packages/sandbox/threads.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { interceptingProxy, type Interception } from './intercepting-proxy.ts'
import { faultOf } from './meta.ts'
import { movableClock } from './movable-clock.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, ids, memoryCredentials, memoryMedia } from './sandbox.ts'

export const START = Date.parse('2026-03-01T10:00:00Z')
export const DAY = 86_400_000

export const META = ['facebook', 'instagram', 'threads'] as const
export type Meta = (typeof META)[number]

interface Subject {
  readonly platform: Platform
  readonly standIn: StandIn
  /** What the ledger keeps of a post beside. */
  readonly details: Readonly<Record<string, unknown>>
  postId(accountId: string, digits: string): string
  /** The end of the path of the visible call, and of the list that has what is under a post. */
  readonly sends: string
  readonly lists: string
  readonly limit: number
  /** Of comments, and of replies where they have one. */
  readonly ids: RegExp
  readonly address: RegExp | undefined
}

const listedFrom = 0
export const SUBJECTS: Readonly<Record<Meta, Subject>> = {
  facebook: {
    platform: facebook,
    standIn: facebookStandIn,
    details: { listedFrom, takesComments: 'post' },
    postId: (accountId, digits) => `${accountId}_${digits}`,
    sends: '/comments',
    lists: '/comments',
    limit: 8_000,
    ids: /^\d+_\d{18}$/,
    address: /^https:\/\/www\.facebook\.com\/.*comment_id=\d+$/,
  },
  instagram: {
    platform: instagram,
    standIn: instagramStandIn,
    details: { shortcode: 'code', listedFrom },
    postId: (_accountId, digits) => `180${digits}`,
    sends: '/replies',
    lists: '/comments',
    limit: 2_200,
    ids: /^178\d{14}$/,
    address: undefined,
  },
  threads: {
    platform: threads,
    standIn: threadsStandIn,
    details: { listedAt: isoTime(0) },
    postId: (_accountId, digits) => `9${digits}`,
    sends: '/threads_publish',
    lists: '/conversation',
    limit: 500,
    ids: /^9\d{17}$/,
    address: /^https:\/\/www\.threads\.com\/@Acme\.Bakery\/post\/[\w-]{11}$/,
  },
}

type Written = Partial<Pick<LedgerComment, 'inReplyTo' | 'author' | 'writtenBy' | 'details'>> & {
  /** Seconds before the start. */
  readonly ago?: number
  /** Null: a mention. */
  readonly under?: string | null
}

/** One connected account with one post, as old as a day. The clock stands until somebody waits. */
export async function givenConversation(
  t: Test,
  key: Meta,
  options: { readonly label?: string; readonly without?: string } = {},
) {
  const { platform, standIn, details, postId } = SUBJECTS[key]
  const conversation = conversationOf(platform)
  const clock = movableClock({ standingAt: START })
  const sandbox = await givenSandbox(t, { clock })
  const http = givenHttp(t)
  const given = await givenAccount(http, sandbox, key, { label: options.label ?? 'Acme.Bakery' })
  const proxy = await interceptingProxy(t, given.baseUrl)
  const bare = {
    http,
    media: memoryMedia(http),
    // Who waits moves the time on.
    clock: { now: clock.now, sleep: (ms: number) => clock.advanceTo(clock.now() + ms) },
    signal: AbortSignal.timeout(60_000),
  }
  const fields = Object.entries(given.credentials).filter(
    ([name]) => name in platform.credentials.shape && name !== options.without,
  )
  const connected = await platform.connect(Object.fromEntries(fields), proxy.url, bare)
  const credentials = memoryCredentials(connected.credentials)
  const io: PlatformIo = { ...bare, credentials }
  const account = { ...accountOf(key, given), baseUrl: proxy.url }
  const { ledger, files, faults } = sandbox
  const { externalId: accountId } = given
  let posts = 0
  const post = (ago = DAY / 1000, more: Partial<LedgerPost> = {}): string => {
    posts += 1
    const id = postId(accountId, String(10_000_000_000_000 + posts))
    const shown = { caption: '', mediaUrl: 'https://example.com/', mediaType: 'image' } as const
    const own = { id, platform: key, accountId, token: `token-${posts}`, details, ...shown }
    ledger.addPost({ ...own, createdAt: isoTime(START - ago * 1000), ...more })
    return id
  }
  const first = post()
  const write = (text: string, { ago = 60, under = first, ...more }: Written = {}): string => {
    const { author = 'fan.of.bread', writtenBy = 'fan' } = more
    const content = { accountId, author, text, ...(under !== null && { postId: under }) }
    const own = standIn.newComment?.(content, { ledger, files, faults, clock, ids, baseUrl: () => given.baseUrl })
    if (!own) throw new Error('it has no ids of its own')
    const comment = { ...own, ...content, platform: key, writtenBy, ...more }
    ledger.addComment({ ...comment, createdAt: isoTime(START - ago * 1000) })
    return own.id
  }
  return {
    ...{ sandbox, http, proxy, clock, given, credentials, io, account, conversation, post, first, write },
    /** The account itself, by whatever means. */
    answer: (text: string, inReplyTo: string, more: Written = {}): string =>
      write(text, { inReplyTo, writtenBy: 'account', author: given.label, ago: 30, ...more }),
    pages: async (sinceMs = START - 7 * DAY): Promise<readonly (readonly FetchedComment[])[]> => {
      const pages = []
      for await (const page of conversation.fetch(account, isoTime(sinceMs), io)) pages.push(page)
      return pages
    },
    fetch: async (sinceMs = START - 7 * DAY): Promise<readonly FetchedComment[]> => {
      const all = []
      for await (const page of conversation.fetch(account, isoTime(sinceMs), io)) all.push(...page)
      return all
    },
    job: (commentId: string, text = 'Thank you! 🥖'): ReplyJob => ({
      ...{ key: crypto.randomUUID(), account, commentId, references: {}, text },
      approvedAt: isoTime(clock.now()),
    }),
    replies: () => ledger.commentsOf(key, accountId).filter((one) => one.writtenBy === 'account'),
    fault: (script: Partial<FaultScript>) => faults.script(faultOf(key, { call: 'reply', kind: 'reject', ...script })),
  }
}
export type Scene = Awaited<ReturnType<typeof givenConversation>>

function conversationOf({ conversation }: Platform): Conversation & Required<Pick<Conversation, 'find'>> {
  const { find } = conversation ?? {}
  if (!conversation || !find) throw new Error('comments are answered, and looked for')
  return {
    ...conversation,
    find,
    /** With the work before it, without which nothing is sent. */
    reply: async (job, io) => {
      let prepared = await conversation.prepare?.(job, io, undefined)
      while (prepared?.outcome === 'processing') {
        await io.clock.sleep(prepared.lookAgainMs)
        prepared = await conversation.prepare?.(job, io, prepared.handle)
      }
      return conversation.reply(job, io, prepared?.handle)
    },
  }
}

/** An error as the Graph API answers it. */
export function graphError(
  code: number,
  subcode?: number,
  {
    status = 400,
    headers = {},
    transient = false,
  }: { status?: number; headers?: Record<string, string>; transient?: boolean } = {},
): Interception {
  const fault = { code, ...(subcode !== undefined && { error_subcode: subcode }), is_transient: transient }
  const error = { message: 'as Meta says it', type: 'OAuthException', ...fault, fbtrace_id: 'trace1' }
  return { kind: 'answer', status, headers, body: JSON.stringify({ error }) }
}

export const json = (body: unknown): Interception => ({ kind: 'answer', status: 200, body: JSON.stringify(body) })

/** What the visible call's answer means on all platforms of Meta. */
export const ANSWERS: readonly (readonly [Interception, PlatformErrorKind])[] = [
  ...[458, 459, 460, 463, 467].map((subcode) => [graphError(190, subcode), 'needs-reauth'] as const),
  ...[190, 102].map((code) => [graphError(code), 'needs-reauth'] as const),
  ...[10, 200, 299].map((code) => [graphError(code), 'forbidden'] as const),
  ...[4, 17, 32, 613].map((code) => [graphError(code), 'retryable'] as const),
  [{ kind: 'answer', status: 429, body: 'Slow down' }, 'retryable'],
  [graphError(368), 'permanent'],
  [graphError(100), 'permanent'],
  [graphError(77_777), 'permanent'],
  [graphError(77_777, undefined, { transient: true }), 'ambiguous'],
  [graphError(77_777, undefined, { status: 503 }), 'ambiguous'],
  ...[1, 2].map((code) => [graphError(code, undefined, { status: 500 }), 'ambiguous'] as const),
  [{ kind: 'answer', status: 502, body: '<html>Bad gateway</html>' }, 'ambiguous'],
  [{ kind: 'answer', status: 400, body: '<html>Bad request</html>' }, 'ambiguous'],
  [{ kind: 'answer', status: 200, body: '{"id":' }, 'ambiguous'],
  [json({ id: 17_890_123_456_789_012 }), 'ambiguous'],
  [json({ success: true }), 'ambiguous'],
  [{ kind: 'cut' }, 'ambiguous'],
]

/** What each of them has beside. */
export const OWN_ANSWERS: Readonly<Record<Meta, typeof ANSWERS>> = {
  facebook: [
    [graphError(190, 492), 'needs-reauth'],
    [graphError(3), 'forbidden'],
    [graphError(200, 1404078), 'permanent'],
    [graphError(4854002), 'permanent'],
    [graphError(80001), 'retryable'],
    [graphError(1390008), 'retryable'],
    [graphError(1346003), 'permanent'],
    [graphError(506), 'ambiguous'],
    [graphError(1363030), 'ambiguous'],
    [graphError(100, 33), 'retryable'],
    [graphError(100, undefined, { status: 404 }), 'retryable'],
  ],
  instagram: [
    [graphError(80002), 'retryable'],
    [graphError(4, 2207051), 'ambiguous'],
    [graphError(25, 2207050), 'permanent'],
    [graphError(-1, 2207001), 'ambiguous'],
    [graphError(20, 1772107), 'ambiguous'],
    [graphError(100, 33), 'retryable'],
  ],
  threads: [
    [graphError(24, 4279009), 'retryable'],
    [graphError(24, 4279013), 'permanent'],
    [graphError(100, 2207051), 'ambiguous'],
    [graphError(100, 33), 'ambiguous'],
  ],
}
