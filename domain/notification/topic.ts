import * as z from 'zod'
import { PLATFORM_KEYS, PLATFORM_NAMES } from '../core/platform.ts'
import { text } from '../core/text.ts'

/** What people are notified of. */
export const TOPICS = [
  'post.failed',
  'post.partially_failed',
  'account.needs_reauth',
  'account.expiring',
  'reply.to_review',
  'approval.requested',
  'approval.decided',
  'post.held',
  'feed.failing',
  'webhook.failing',
  'budget.reached',
] as const
export type Topic = (typeof TOPICS)[number]

/** One thing to notify of. `id` is the same however often it is derived; `about` is the id of the resource to look at. */
export const notice = z.object({
  id: z.string(),
  /** Somebody asks for a test and for a new password. A confirmation is sent to an address before anything else is. */
  topic: z.enum([...TOPICS, 'test', 'password', 'confirmation']),
  about: z.string(),
  platform: z.enum(PLATFORM_KEYS).optional(),
  error: text(500).optional(),
  okCount: z.int().nonnegative().optional(),
  total: z.int().nonnegative().optional(),
  decision: z.enum(['approved', 'changes_requested', 'rejected']).optional(),
  comment: text(500).optional(),
  /** Who decided, if it was a guest. */
  guest: text(100).optional(),
})
export type Notice = Readonly<z.infer<typeof notice>>

/** What is known when it is sent: the account's name, and how many scheduled posts depend on the account. */
export interface Known {
  readonly label?: string | undefined
  readonly scheduled?: number | undefined
}

const TITLES: Readonly<Record<Notice['topic'], string>> = {
  'post.failed': 'A post failed',
  'post.partially_failed': 'A post failed on some accounts',
  'account.needs_reauth': 'An account must be connected again',
  'account.expiring': 'The access to an account ends soon',
  'reply.to_review': 'A reply waits for review',
  'approval.requested': 'A post awaits approval',
  'approval.decided': 'A post was reviewed',
  'post.held': 'A post was not approved in time',
  'feed.failing': 'A feed cannot be read',
  'webhook.failing': 'A webhook does not receive events',
  'budget.reached': 'A budget is nearly or completely spent',
  test: 'Test',
  password: 'Choose a new password',
  confirmation: 'Confirm this address',
}

const DECISIONS = {
  approved: (guest = '') => `A post was approved${guest && ` by ${guest}`}`,
  changes_requested: (guest = 'Somebody') => `${guest} asks for changes to a post`,
  rejected: (guest = '') => `A post was rejected${guest && ` by ${guest}`}`,
} as const

/** The title of a message with these notices. */
export function titleOf(notices: readonly Notice[]): string {
  const [first] = notices
  if (first && notices.length === 1) return TITLES[first.topic]
  return `${notices.length} notifications`
}

/** A notice as one or two sentences. */
export function sentenceOf(notice: Notice, { label, scheduled = 0 }: Known = {}): string {
  const { topic, platform, error = '', okCount = 0, total = 0, decision = 'approved', comment = '', guest } = notice
  const on = platform === undefined ? '' : ` on ${PLATFORM_NAMES[platform]}`
  const waiting = scheduled === 0 ? '' : ` Scheduled posts that depend on it: ${scheduled}.`
  switch (topic) {
    case 'post.failed':
      return `A post failed${total > 1 ? ` on all ${total} accounts` : ''}: ${error}`
    case 'post.partially_failed':
      return `A post was published on ${okCount} of ${total} accounts: ${error}`
    case 'account.needs_reauth':
      return `${label === undefined ? 'An account' : `The account ${label}`}${on} must be connected again: ${error}${waiting}`
    case 'account.expiring':
      return `The access to ${label === undefined ? 'an account' : `the account ${label}`}${on} ends at ${error}: connect it again before that.${waiting}`
    case 'reply.to_review':
      return `A reply${on} waits for review.`
    case 'approval.requested':
      return 'A post awaits approval.'
    case 'approval.decided':
      return `${DECISIONS[decision](guest)}${comment === '' ? '.' : `: ${comment}`}`
    case 'post.held':
      return 'The time of a post passed before it was approved, so it is not published. Choose another time.'
    case 'feed.failing':
      return `A feed cannot be read: ${error}`
    case 'webhook.failing':
      return `A delivery to a webhook failed after its last attempt: ${error}`
    case 'budget.reached':
      return platform === undefined ? error : `${PLATFORM_NAMES[platform]}: ${error}`
    case 'test':
      return 'This is a test: notifications arrive here.'
    case 'password':
      return 'Somebody asked for a new password for you. Choose it within 24 hours. If it was not you, ignore this message.'
    case 'confirmation':
      return 'Somebody wants to receive notifications at this address. Nothing else is sent to it until you confirm it.'
  }
}
