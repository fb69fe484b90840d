import type { RuleName } from './rules/index.ts'

/** The rows of the table, each with what it promises. */
export const ROWS = {
  T1: 'processes killed at any moment: nothing published twice, lost or stuck',
  T2: 'a process that dies before or after any step of publishing: settled once',
  T3: '10,000 deliveries, 20 % of receivers failing, 33 hours: delivered, or failed after 7 attempts',
  T4: 'a hanging endpoint with 50,000 deliveries pending delays no others',
  T5: '2,400 generated invalid bodies: 400 in the envelope, never 500',
  T6: 'no tenant can see or change the data of another',
  T7: 'videos, credits, recycling and metrics: as their models predict',
  T8: 'one idempotency key, also concurrently and across a crash: one effect, one response',
  T9: 'four servers, 200 requests at once, a limit of 60: exactly 60',
  T10: 'addresses in internal networks: no socket is opened',
  T11: 'networks that delay, cut, swallow or drip: nothing lost, errors in the envelope, recovery within 30 s',
  T12: 'the history of all responses against the log: no lost acknowledgement, no status going back, models as rebuilt',
  T16: '2,000 dripping sockets: the p99 of others at most doubled, the sockets closed within 35 s',
  T17: 'hostile feeds: the service keeps running',
  T20: 'restored from a backup taken during a burst: nothing published twice, nothing lost',
} as const
export type RowName = keyof typeof ROWS

/** What each row of a run with real faults is held against. */
export const RULES_OF = {
  T1: [
    ...(['noDuplicatePost', 'noLostPost', 'logTellsWhatIsLive', 'cancelledStaysUnsent', 'firstCommentsOnce'] as const),
    ...([
      'recycledOnce',
      'repliesOnce',
      'deliveriesComplete',
      'attemptsGenuine',
      'attemptsCounted',
      'videosSettle',
    ] as const),
    ...(['creditsAddUp', 'nothingStuck', 'nobodyEndsUnasked'] as const),
  ],
  T11: ['noLostPost', 'errorsInTheEnvelope', 'noFailureWithoutCause', 'recoversInTime'],
  T12: [
    'noLostAcknowledgement',
    'answeredAsAsked',
    'oneKeyOneEffect',
    'noStatusGoesBack',
    'auditClean',
    'modelsEqualRebuild',
  ],
} as const satisfies Readonly<Record<string, readonly RuleName[]>>
export type RunRow = keyof typeof RULES_OF

export const isRunRow = (row: RowName): row is RunRow => Object.hasOwn(RULES_OF, row)
