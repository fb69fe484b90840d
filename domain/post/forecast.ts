import type { PostContent } from './post.ts'

export const FORECAST_KINDS = ['published', 'waits', 'fails', 'held', 'warning'] as const

/** What will happen, or begin to happen, at a moment. Times are ISO 8601 UTC. */
export interface ForecastEntry {
  readonly at: string
  readonly kind: (typeof FORECAST_KINDS)[number]
  /** Absent where it concerns no single one, as for a post that is held. */
  readonly platform?: string
  readonly accountId?: string
  /** Posts that wait together are in one entry. */
  readonly postIds: readonly string[]
  /** The recycling rule that cannot make its post. */
  readonly ruleId?: string
  /** For people; the times are in the other fields. */
  readonly sentence: string
  /** Of what waits: when the last of the posts is published or fails. Of maintenance: its end. */
  readonly until?: string
  /** What the platform charges, in US dollars. */
  readonly usd?: number
}

/** What will happen to what is planned, if nobody changes it. */
export interface Forecast {
  readonly from: string
  readonly until: string
  /** The soonest first. */
  readonly entries: readonly ForecastEntry[]
  /** Counted by account, but `held` by post. `usd`: US dollars. */
  readonly totals: {
    readonly published: number
    readonly waits: number
    readonly fails: number
    readonly held: number
    readonly usd: number
  }
  /** More is planned than a forecast covers: it ends here. */
  readonly cutAt?: string
}

/** Both times in ms since the epoch. */
export interface ForecastRequest {
  readonly workspaceId: string
  readonly now: number
  readonly until: number
  /** The most scheduled posts, and as many that wait, and that were published lately. Default: 10,000. */
  readonly most?: number
  /** A post that is not scheduled yet, under an id that no other has. `dueAt` is ISO 8601 UTC. */
  readonly added?: { readonly id: string; readonly content: PostContent; readonly dueAt: string }
}

/** Calls nobody, and changes nothing. @throws Refusal rate_limit_exceeded while others are being made */
export type ForecastPosts = (request: ForecastRequest) => Promise<Forecast>
