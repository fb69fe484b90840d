import type { LogAudit } from '../../app/cli/audit-log.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Attempt } from '../support/hostile-receivers.ts'

/** One request as its sender saw it. Times are ms since the epoch. */
export interface Exchange {
  readonly method: string
  /** Below `/v1`. */
  readonly path: string
  readonly key?: string
  readonly sent: number
  readonly returned: number
  /** Absent when no answer came. */
  readonly status?: number
  readonly body?: unknown
  /** It was the remembered answer of an earlier request. */
  readonly replayed?: boolean
}

/** From a fault's beginning until it was over: a process works again, a network is calm. */
export interface Outage {
  readonly kind: 'kill' | 'pause' | 'network' | 'upgrade'
  readonly what: string
  readonly victim: string
  /** Whose connection to the victim was disturbed. */
  readonly server?: string
  readonly from: number
  readonly to: number
}

/** What is live on the sandbox. */
export interface LivePost {
  readonly platform: string
  readonly id: string
  readonly caption: string
}

/** A text under a post or a comment, on the sandbox. */
export interface LiveComment {
  readonly id: string
  readonly platform: string
  readonly writtenBy: 'account' | 'fan'
  readonly text: string
  readonly inReplyTo?: string | undefined
}

export interface ShownPost {
  readonly id: string
  readonly status: string
  readonly caption: string
  readonly publishResults: Readonly<
    Record<string, readonly { readonly ok: boolean; readonly error?: string | undefined }[]>
  >
}

export interface ShownVideo {
  readonly id: string
  readonly status: string
  readonly statusMessage?: string | undefined
}

export interface ShownEntry {
  readonly kind: 'granted' | 'charged' | 'refunded'
  readonly amount: number
  readonly balance: number
  readonly videoId?: string | undefined
}

export interface ShownDelivery {
  readonly id: string
  readonly eventId: string
  readonly status: string
  readonly attempts: number
}

export interface ShownReply {
  readonly id: string
  readonly status: string
  readonly commentId: string
}

export interface ToldEvent {
  readonly id: string
  readonly event: string
  readonly createdAt: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A webhook, what came to its receiver, and what the API says of it. */
export interface Hook {
  readonly id: string
  readonly secret: string
  /** Of which it was told from the beginning. */
  readonly events: readonly string[]
  readonly ends: 'delivered' | 'failed'
  readonly attempts: readonly Attempt[]
  readonly deliveries: readonly ShownDelivery[]
}

/** What was wanted of the service, by who wanted it. */
export interface Requested {
  /** Captions of posts that were accepted and are to be live once on each platform named. */
  readonly posts: ReadonlyMap<string, readonly string[]>
  /** Of them those with a first comment, which is `first <caption>`, and where comments are made. */
  readonly firstComments: ReadonlyMap<string, readonly string[]>
  /** Captions of posts whose cancellation was answered with success. */
  readonly cancelled: readonly string[]
  /** Captions of posts that may or may not have been cancelled in time. */
  readonly either: readonly string[]
  /** By id, how the prompt wants it to end. */
  readonly videos: ReadonlyMap<string, 'ready' | 'failed'>
  /** Texts that fans wrote, and that were answered by the API. */
  readonly answered: ReadonlySet<string>
  /** Texts that fans wrote, in all. */
  readonly comments: readonly string[]
  /** By caption, the posts that were published again. */
  readonly recycled: ReadonlyMap<string, Recycled>
  /** Answers that nobody could do anything with. */
  readonly disappointments: readonly string[]
}

/** A post that a rule has published again. */
export interface Recycled {
  readonly platform: string
  /** The rule's id. */
  readonly rule: string
  /** How often that was asked for, each time after the time before had come to its end. */
  readonly times: number
}

/** All that is known of a run when it is over and the service has come to rest. */
export interface Evidence {
  readonly requested: Requested
  readonly history: readonly Exchange[]
  readonly log: readonly RecordedEvent[]
  readonly live: readonly LivePost[]
  readonly comments: readonly LiveComment[]
  /** Keys by which the sandbox was asked for clips, and their prompts. */
  readonly jobs: readonly { readonly key: string; readonly prompt: string }[]
  readonly posts: readonly ShownPost[]
  readonly videos: readonly ShownVideo[]
  readonly replies: readonly ShownReply[]
  readonly ledger: readonly ShownEntry[]
  /** What `GET /credits` says. */
  readonly balance: number
  readonly told: readonly ToldEvent[]
  readonly hooks: readonly Hook[]
  readonly audit: LogAudit
  /** Read models whose rows are not those of a rebuild, with what differs. */
  readonly differing: readonly string[]
  readonly outages: readonly Outage[]
  /** How many processes were to be killed. */
  readonly killsWanted: number
  /** Of processes that were not killed. */
  readonly endedThemselves: readonly string[]
  /** When the last fault was over, ms since the epoch. */
  readonly calmAt: number
  /** When, after that, the last request of the load was answered. */
  readonly quietAt: number
  /** What had not settled 2 minutes after `quietAt` and did not wait for a time that it had named, or never did. */
  readonly stuck: readonly string[]
  /** When all had, ms since the epoch. */
  readonly settledAt: number
}
