import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { retryAfterMs } from '../kit/retry-after.ts'

const businessUsage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().catch(0) })).catch([]),
)

/**
 * How long Meta blocks the account (Graph API, "Rate Limits"). The business use case header says so in minutes, per account;
 * the app usage header has only percentages.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds, or undefined if Meta does not say
 */
export function waitIn({ headers }: Pick<HttpResponse, 'headers'>, now: number): number | undefined {
  const usage = businessUsage.safeParse(parsed(headers['x-business-use-case-usage'] ?? ''))
  const minutes = usage.success
    ? Object.values(usage.data).flatMap((entries) => entries.map((entry) => entry.estimated_time_to_regain_access))
    : []
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? longest * 60_000 : retryAfterMs(headers['retry-after'], now)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
