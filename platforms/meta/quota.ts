import * as z from 'zod'
import { PlatformError } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphApi } from './api.ts'
import type { Session } from './graph.ts'

interface Usage {
  readonly used: number
  readonly total: number
}

/** One of an account's quotas. */
export interface Quota<Refusal extends string> {
  readonly fields: string
  readonly usage: z.ZodType<Usage>
  /** The refusal to report when it is used up. */
  readonly refusal: Refusal
}

const config = z.object({ quota_total: z.number() })

export const POSTS: Quota<'quota'> = {
  fields: 'quota_usage,config',
  usage: z
    .object({ quota_usage: z.number(), config })
    .transform(({ quota_usage: used, config }) => ({ used, total: config.quota_total })),
  refusal: 'quota',
}

export const REPLIES: Quota<'reply quota'> = {
  fields: 'reply_quota_usage,reply_config',
  usage: z
    .object({ reply_quota_usage: z.number(), reply_config: config })
    .transform(({ reply_quota_usage: used, reply_config }) => ({ used, total: reply_config.quota_total })),
  refusal: 'reply quota',
}

/** @throws PlatformError */
export async function usageOf(
  { graph }: Pick<GraphApi<never>, 'graph'>,
  { fields, usage }: Quota<string>,
  path: string,
  session: Session,
  io: RestIo,
): Promise<Usage> {
  const answer = z.object({ data: z.tuple([usage]) })
  return (await graph(session, { method: 'GET', path, query: { fields } }, answer, io)).data[0]
}

/**
 * Checks that the account may still publish today. If that is unknown, it may.
 *
 * @throws PlatformRefusal with the quota's name when it is used up
 */
export async function mustHaveQuota<Refusal extends string>(
  api: Pick<GraphApi<Refusal>, 'graph' | 'errorOf'>,
  quota: Quota<Refusal>,
  path: string,
  session: Session,
  io: RestIo,
): Promise<void> {
  const usage = await usageOf(api, quota, path, session, io).catch((error: unknown) => {
    if (error instanceof PlatformError && error.kind !== 'needs-reauth' && !error.accountRests) return undefined
    throw error
  })
  if (usage && usage.used >= usage.total) throw api.errorOf(quota.refusal, `${usage.used} of ${usage.total}.`)
}
