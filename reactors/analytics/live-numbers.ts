import * as z from 'zod'
import { account, type KnownAccount } from '../../domain/account/account.ts'
import type { ChannelNumbers, LiveAnswer, LiveNumbers } from '../../domain/analytics/live-numbers.ts'
import { postMetrics } from '../../domain/analytics/post-metrics.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Analytics } from '../../platforms/kit/analytics.ts'
import type { PlatformAccount, PlatformIo } from '../../platforms/kit/platform.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { liveAnswers, type Question } from './live-answers.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'

/** Short (ms), because a user is waiting. */
const CALL_TIMEOUT_MS = 10_000
const GONE = 'The platform does not have the post: it was deleted there or is not visible yet.'
const channelNumbers: z.ZodType<ChannelNumbers> = z.object({ followers: z.int().nonnegative().optional() })
/** A failure here says nothing about whether the account can publish. */
const nothing = async (): Promise<void> => undefined

/** Current metrics from the platforms, requested across all processes no more often than the quotas allow. */
export function liveNumbers(
  deps: CommandDeps & {
    readonly db: Database
    readonly access: PlatformAccess
    readonly logger: Logger
    /** Aborts calls in progress. */
    readonly signal: AbortSignal
  },
): LiveNumbers {
  const { log, clock, access, signal } = deps
  const answers = liveAnswers(deps)

  const asked = async <Value>(
    accountId: string,
    question: (analytics: Analytics) => Pick<Question<Value>, 'key' | 'schema'> & {
      ask(source: PlatformAccount, io: PlatformIo): Promise<Value | undefined>
    },
  ): Promise<LiveAnswer<Value>> => {
    const state = await load(log, account, accountId)
    if (state.status === 'absent') return { failure: 'The account was not found.' }
    const { analytics } = access.platform(state.platform)
    if (!analytics) return { failure: 'The platform provides no metrics.' }
    const { key, schema, ask } = question(analytics)
    const source = sourceOf(accountId, state)
    return answers.get({
      ...{ key, schema, freshForMs: analytics.freshForMs },
      ask: async () => {
        const obstacle = obstacleOf(state, clock.now())
        if (obstacle !== undefined) return { failure: obstacle }
        const answer = await answerOf({ ...deps, job: { account: source }, onFailure: nothing }, () =>
          access.run(source, CALL_TIMEOUT_MS, signal, (io) => ask(source, io), 'analytics'),
        )
        if (!answer.ok) return { failure: answer.failure.message, retryAfterMs: answer.failure.retryAfterMs }
        return answer.value === undefined ? { failure: GONE } : { value: answer.value }
      },
    })
  }

  return {
    ofPost: (accountId, platformPostId) =>
      asked(accountId, (analytics) => ({
        key: JSON.stringify(['post', accountId, platformPostId]),
        schema: postMetrics,
        ask: async (source, io) => (await analytics.metrics(source, [platformPostId], io)).get(platformPostId),
      })),
    ofChannel: (accountId) =>
      asked(accountId, (analytics) => ({
        key: JSON.stringify(['channel', accountId]),
        schema: channelNumbers,
        ask: (source, io) => analytics.channel(source, io),
      })),
  }
}

function sourceOf(id: string, { platform, externalId, baseUrl }: KnownAccount): PlatformAccount {
  return { id, platform, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) }
}

/** Why there is no point in calling the platform. */
function obstacleOf({ status, needsReauth, restsUntil }: KnownAccount, now: number): string | undefined {
  if (status === 'disconnected') return 'The account is no longer connected.'
  if (needsReauth !== undefined) return needsReauth
  if (restsUntil === undefined || Date.parse(restsUntil) <= now) return undefined
  return `The platform accepts no requests from this account until ${restsUntil}.`
}
