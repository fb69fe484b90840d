import type { PlatformKey } from '../domain/core/platform.ts'

/** How long a platform's terms allow its data to be kept. */
export interface Retention {
  /** Comments and mentions, after they were received, ms. Absent: as long as they are needed. */
  readonly commentsMs?: number
  /** All comments and the account's name, after it was disconnected, ms. */
  readonly afterDisconnectMs: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Terms without a number say "as soon as reasonably possible". An account that is connected again within a day keeps its comments. */
const SOON = { afterDisconnectMs: DAY }

/** Each less than the terms allow by the time that an erasure may take. */
export const RETENTION: Readonly<Record<PlatformKey, Retention>> = {
  // Platform Terms 3.d, of 2026-02-03.
  facebook: SOON,
  instagram: SOON,
  threads: SOON,
  // Developer Policies III.E.4.c (30 days) and III.D (7 days), of 2026-06-25.
  youtube: { commentsMs: 30 * DAY, afterDisconnectMs: 6 * DAY },
  // Business Profile APIs policies, of 2025-08-28: 7 business days.
  googlebusiness: { afterDisconnectMs: 6 * DAY },
  // Data Storage Requirements: 24 hours for other members' names, 48 for what they wrote, and the shortest applies.
  // API Terms of Use 4.4: immediately.
  linkedin: { commentsMs: DAY, afterDisconnectMs: 0 },
  // Developer Agreement IV.B, of 2026-04-27: 24 hours after a request.
  x: { afterDisconnectMs: DAY / 2 },
  // Developer Guidelines: nothing may be stored.
  pinterest: { afterDisconnectMs: 0 },
  tiktok: SOON,
  bluesky: SOON,
}
