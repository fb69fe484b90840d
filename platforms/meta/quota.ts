import { z } from 'zod'
import { PlatformError } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import type { GraphApi } from './api.ts'
import type { Session } from './graph.ts'

const quota = z.object({
  data: z.tuple([z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }) })]),
})

/**
 * Asks whether the account may publish today. That it can't be told is no reason not to try.
 *
 * @throws GraphError of the trouble `quota` when it may not
 */
export async function mustHaveQuota(
  { graph, errorOf }: GraphApi<'quota'>,
  path: string,
  session: Session,
  io: RestIo,
): Promise<void> {
  const call = { method: 'GET', path, query: { fields: 'quota_usage,config' } } as const
  const answer = await graph(session, call, quota, io).catch((error: unknown) => {
    if (error instanceof PlatformError && error.kind !== 'needs-reauth' && !error.accountRests) return undefined
    throw error
  })
  if (!answer) return
  const [{ quota_usage: used, config }] = answer.data
  if (used >= config.quota_total) throw errorOf('quota', `${used} of ${config.quota_total}.`)
}
