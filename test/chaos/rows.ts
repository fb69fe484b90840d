import type { RuleName } from './rules/index.ts'

/** The rows of the table, each with what it promises. */
export const ROWS = {
  T1: 'killed at any moment: nothing published twice, lost, or stuck',
  T2: 'a process that dies before or after any act of publishing: settled once',
  T3: '10,000 deliveries, 20 % of the receivers failing, 33 hours: delivered, or failed after 7 attempts',
  T4: 'an endpoint that hangs with 50,000 waiting holds up nobody',
  T5: '2,400 generated bad bodies: 400 in the envelope, never 500',
  T6: 'nobody sees or changes what is another tenant’s',
  T7: 'models of videos, credits, recycling and numbers: what the model says',
  T8: 'one idempotency key, also asked with at once and through a crash: one effect, one answer',
  T9: 'four servers, 200 requests at once, a limit of 60: exactly 60',
  T10: 'addresses that lead inside: no socket is opened',
  T11: 'networks that delay, cut, swallow or drip: nothing lost, errors in the envelope, back within 30 s',
  T12: 'the history of all answers against the log: no lost acknowledgement, no status back, models as rebuilt',
  T16: '2,000 sockets that drip: others’ p99 at most doubled, the drips cut within 35 s',
  T17: 'hostile feeds: the service goes on',
  T20: 'restored from a backup that was taken amid a burst: nothing published twice, nothing lost',
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
