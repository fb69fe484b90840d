import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { Analytics, ChannelFacts } from '../kit/analytics.ts'
import { count, known } from '../kit/counts.ts'
import { PlatformRefusal } from '../kit/errors.ts'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { metricsOfPin } from './analytics-pin.ts'
import { pinterestApi, type Api } from './api.ts'

/** Each Pin takes two calls, as the endpoint for many Pins is not open to all apps. */
const PINS_PER_CALL = 10

/** Pinterest counts per day, and allows an app with Trial access 1,000 calls a day. */
const FRESH_FOR_MS = 15 * 60_000

/** Without competitors: the API has no data on other accounts. */
export const analytics: Analytics = {
  postsPerCall: PINS_PER_CALL,
  freshForMs: FRESH_FOR_MS,
  metrics,
  channel,
}

/** A refusal for one Pin does not affect the others. */
async function metrics(
  { baseUrl }: PlatformAccount,
  pinIds: readonly string[],
  io: PlatformIo,
): Promise<ReadonlyMap<string, PostMetrics>> {
  const api = naming(['boards:read', 'pins:read'], pinterestApi(baseUrl, io))
  const now = io.clock.now()
  const found = new Map<string, PostMetrics>()
  let refusal: PlatformError | undefined
  const look = async (id: string): Promise<void> => {
    try {
      const numbers = await metricsOfPin(id, now, api)
      if (numbers) found.set(id, numbers)
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== 'permanent') throw error
      refusal ??= error
    }
  }
  await Promise.all(pinIds.map(look))
  if (refusal && found.size === 0) throw refusal
  return found
}

const userAccount = z
  .object({ id: z.string().min(1), follower_count: count, pin_count: count })
  .transform(({ follower_count, pin_count }): ChannelFacts => known({ followers: follower_count, posts: pin_count }))

/** Without views: Pinterest reports them for the last month only, not for the account's lifetime. */
function channel({ baseUrl }: PlatformAccount, io: PlatformIo): Promise<ChannelFacts> {
  const api = naming(['user_accounts:read'], pinterestApi(baseUrl, io))
  return api({ method: 'GET', path: '/user_account' }, userAccount)
}

/** Adds the required scopes to the error, as Pinterest may not say which one the token lacks. */
function naming(scopes: readonly string[], api: Api): Api {
  return async (call, answer) => {
    try {
      return await api(call, answer)
    } catch (error) {
      if (!(error instanceof PlatformRefusal) || error.kind !== 'forbidden') throw error
      const message = `${error.message} Metrics require ${scopes.join(' and ')}.`
      throw new PlatformError('forbidden', message, { cause: error })
    }
  }
}
