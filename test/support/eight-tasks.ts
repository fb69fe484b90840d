import type { McpClient, ToolAnswer } from './mcp.ts'
import { tokensIn } from './tokens.ts'

/*
 * Eight tasks of a team that publishes, played by a table of decisions in place of a model: each step looks at what was answered so
 * far and names the next call. It calls what a careful agent would, by what the tools say of themselves.
 */

type Call = readonly [name: string, args: Record<string, unknown>]
/** The next call; undefined if none is needed. */
type Step = (seen: readonly Seen[]) => Call | undefined
type Seen = ToolAnswer['answer']

/** What the tasks are about. */
export interface Desk {
  readonly accounts: { readonly facebook: string; readonly bluesky: string }
  readonly mediaUrl: string
}

type Table = Readonly<Record<string, { readonly tasks: readonly Step[]; readonly full: readonly Step[] }>>

const LONG = 'Our rye bread takes three days, and every one of them is worth it. '.repeat(6)
const SHORT = 'Our rye bread takes three days.'

export function eightTasks({ accounts, mediaUrl }: Desk): Table {
  const selections = { facebook: [accounts.facebook], bluesky: [accounts.bluesky] }
  const media = [{ url: mediaUrl, type: 'image', altText: 'Three loaves of rye bread' }]
  const post = { selections, media, caption: LONG }
  const fixed = { captionOverrides: { bluesky: SHORT } }
  const later = { ...post, ...fixed, caption: 'Closed on Sunday. See you on Monday!' }
  const text = 'At nine. See you!'
  return {
    'See what there is to do': {
      tasks: [() => ['overview', {}]],
      full: [
        () => ['listAccounts', {}],
        () => ['listScheduledPosts', { limit: 5 }],
        () => ['listComments', { replied: 'false', dismissed: 'false' }],
        () => ['listPendingReplies', {}],
        () => ['listApprovals', {}],
      ],
    },
    'Publish to two accounts, of which one takes less text': {
      tasks: [
        () => ['plan_post', post],
        ([plan]) =>
          plan?.['planId'] === undefined ? ['plan_post', { draftId: plan?.['draftId'], ...fixed }] : undefined,
        (seen) => ['publish_plan', { planId: seen.at(-1)?.['planId'] }],
        (seen) => ['read', { id: seen.at(-1)?.['postId'] }],
      ],
      full: [
        () => ['previewPost', post],
        () => ['previewPost', { ...post, ...fixed }],
        () => ['queuePost', { ...post, ...fixed, idempotencyKey: 'bread-1' }],
        (seen) => ['getPost', { id: seen.at(-1)?.['runId'] }],
      ],
    },
    'Schedule a post': {
      tasks: [
        () => ['plan_post', later],
        (seen) => ['publish_plan', { planId: seen.at(-1)?.['planId'], when: '2099-05-31T09:00' }],
      ],
      full: [
        () => ['getSlots', {}],
        () => ['previewPost', later],
        () => [
          'schedulePost',
          { ...later, date: '2099-05-31', time: '09:00', timezone: 'Europe/Berlin', idempotencyKey: 'closed-1' },
        ],
      ],
    },
    'Move a scheduled post': {
      tasks: [
        () => ['find', { kind: 'scheduled' }],
        (seen) => ['change_post', { id: firstOf(seen, 'scheduled')['id'], when: '2099-06-01T10:30' }],
      ],
      full: [
        () => ['listScheduledPosts', { limit: 6 }],
        (seen) => [
          'reschedulePost',
          { id: firstOf(seen, 'scheduledPosts')['id'], date: '2099-06-01', time: '10:30', timezone: 'Europe/Berlin' },
        ],
      ],
    },
    'Cancel a scheduled post': {
      tasks: [
        () => ['find', { kind: 'scheduled', q: 'Sunday' }],
        (seen) => ['cancel', { id: firstOf(seen, 'scheduled')['id'] }],
      ],
      full: [
        () => ['listScheduledPosts', { q: 'Sunday' }],
        (seen) => ['cancelScheduledPost', { id: firstOf(seen, 'scheduledPosts')['id'] }],
      ],
    },
    'Answer a comment': {
      tasks: [
        () => ['find', { kind: 'comments' }],
        (seen) => ['reply', { commentId: firstOf(seen, 'comments')['commentId'], text }],
      ],
      full: [
        () => ['listComments', { replied: 'false', dismissed: 'false', limit: 6 }],
        (seen) => {
          const { platform, accountId, id, text: said, rootUri, rootCid, commentCid } = firstOf(seen, 'comments')
          const of = { platform, accountId, commentId: id, text: said, rootUri, rootCid, commentCid }
          return ['replyToComment', { ...of, directText: text }]
        },
      ],
    },
    'Have a reply reviewed': {
      tasks: [
        () => ['find', { kind: 'comments', limit: 3 }],
        (seen) => ['reply', { commentId: firstOf(seen, 'comments')['commentId'], text, review: true }],
        (seen) => ['review', { id: seen.at(-1)?.['id'], decision: 'approve' }],
      ],
      full: [
        () => ['listComments', { replied: 'false', dismissed: 'false', limit: 3 }],
        (seen) => ['answerComment', { commentId: firstOf(seen, 'comments')['id'], text, review: true }],
        (seen) => ['approveReply', { id: seen.at(-1)?.['id'] }],
      ],
    },
    'See how posts did, and what failed': {
      tasks: [() => ['insights', {}], () => ['find', { kind: 'posts', status: 'publish_failed' }]],
      full: [() => ['getAnalyticsSummary', {}], () => ['listPosts', { status: 'publish_failed', limit: 6 }]],
    },
  }
}

/** What one task took. */
export interface Played {
  readonly calls: number
  /** Of the calls and their answers, without the list of tools. */
  readonly tokens: number
  readonly longest: number
}

/** @throws Error when a call is refused */
export async function play(
  steps: readonly Step[],
  { call }: McpClient,
  between: () => Promise<unknown>,
): Promise<Played> {
  const seen: Seen[] = []
  const tokens: { asked: number; read: number }[] = []
  for (const step of steps) {
    const next = step(seen)
    if (!next) continue
    const [name, args] = next
    const { answer, text, structured, error } = await call(name, args)
    if (error) throw new Error(`${name}: ${error.message}`)
    seen.push(answer)
    tokens.push({ asked: tokensIn(name + JSON.stringify(args)), read: tokensIn(text + structured) })
    await between()
  }
  return {
    calls: tokens.length,
    tokens: tokens.reduce((sum, { asked, read }) => sum + asked + read, 0),
    longest: Math.max(...tokens.map(({ read }) => read)),
  }
}

function firstOf(seen: readonly Seen[], field: string): Seen {
  const items = seen.at(-1)?.[field]
  if (!Array.isArray(items) || items.length === 0) throw new Error(`there are no ${field}`)
  return items[0] as Seen
}
