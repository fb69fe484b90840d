import type { Evidence } from '../evidence.ts'
import * as answers from './answers.ts'
import * as books from './books.ts'
import * as publishing from './publishing.ts'
import type { Rule } from './rule.ts'
import * as webhooks from './webhooks.ts'

/** Every promise that a run is held against. */
export const RULES = {
  noDuplicatePost: publishing.noDuplicatePost,
  noLostPost: publishing.noLostPost,
  logTellsWhatIsLive: publishing.logTellsWhatIsLive,
  cancelledStaysUnsent: publishing.cancelledStaysUnsent,
  firstCommentsOnce: publishing.firstCommentsOnce,
  recycledOnce: publishing.recycledOnce,
  repliesOnce: publishing.repliesOnce,
  nothingStuck: publishing.nothingStuck,
  noLostAcknowledgement: answers.noLostAcknowledgement,
  answeredAsAsked: answers.answeredAsAsked,
  oneKeyOneEffect: answers.oneKeyOneEffect,
  noStatusGoesBack: answers.noStatusGoesBack,
  errorsInTheEnvelope: answers.errorsInTheEnvelope,
  noFailureWithoutCause: answers.noFailureWithoutCause,
  recoversInTime: answers.recoversInTime,
  deliveriesComplete: webhooks.deliveriesComplete,
  attemptsGenuine: webhooks.attemptsGenuine,
  attemptsCounted: webhooks.attemptsCounted,
  creditsAddUp: books.creditsAddUp,
  videosSettle: books.videosSettle,
  auditClean: books.auditClean,
  modelsEqualRebuild: books.modelsEqualRebuild,
  nobodyEndsUnasked: books.nobodyEndsUnasked,
} satisfies Readonly<Record<string, Rule>>
export type RuleName = keyof typeof RULES

export type Verdict = Readonly<Record<RuleName, readonly string[]>>

/** By rule, each way in which it was broken. */
export function judge(evidence: Evidence): Verdict {
  return Object.fromEntries(
    Object.entries(RULES).map(([name, rule]) => [name, rule.broken(evidence)]),
  ) as unknown as Verdict
}
