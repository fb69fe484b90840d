import type { PlatformKey } from '../domain/core/platform.ts'

/** How long a platform's terms allow its data to be kept. */
export interface Retention {
  /** Comments and mentions, after they were received, ms. Absent: as long as they are needed. */
  readonly commentsMs?: number
  /** The figures of an own post, after the platform last reported them, ms. Absent: until the account is disconnected. */
  readonly metricsMs?: number
  /** The figures of a competitor, after they were read, ms. Absent: until it is removed. */
  readonly competitorsMs?: number
  /** All comments, all figures and the account's name, after it was disconnected, ms. */
  readonly afterDisconnectMs: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Terms without a number say "as soon as reasonably possible". An account that is connected again within a day keeps its comments. */
const SOON = { afterDisconnectMs: DAY }

/** Each less than the terms allow by the time that an erasure may take. */
export const RETENTION: Readonly<Record<PlatformKey, Retention>> = {
  // Platform Terms 3.d, of 2026-02-03. No metrics are read, nor from Google Business and TikTok.
  facebook: SOON,
  instagram: SOON,
  threads: SOON,
  // Developer Policies of 2026-09-14: III.E.4.b (every 30 days, a client must know that it may still read the statistics of a video
  // and that it still exists; the statistics of other channels, 30 days), III.E.4.c (other data, 30 days), III.E.4.g (7 days).
  youtube: { commentsMs: 30 * DAY, metricsMs: 30 * DAY, competitorsMs: 30 * DAY, afterDisconnectMs: 6 * DAY },
  // Business Profile APIs policies, of 2025-08-28: 7 business days.
  googlebusiness: { afterDisconnectMs: 6 * DAY },
  // Data Storage Requirements: 24 hours for other members' names, 48 for what they wrote, and the shortest applies.
  // API Terms of Use 4.4: immediately. No metrics are read: those of Pages could be kept for longer.
  linkedin: { commentsMs: DAY, afterDisconnectMs: 0 },
  // Developer Agreement IV.B, of 2026-04-27: 24 hours after a request. No limit for figures.
  x: { afterDisconnectMs: DAY / 2 },
  // Developer Guidelines, The basics: nothing may be stored except campaign analytics of the own account.
  pinterest: { afterDisconnectMs: 0 },
  tiktok: SOON,
  bluesky: SOON,
  // Each server has terms of its own.
  mastodon: SOON,
}
