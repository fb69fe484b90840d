import type { Prices } from '../../domain/post/prices.ts'
import { isPlatformKey } from '../../domain/core/platform.ts'
import { finalText } from '../../domain/post/caption.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { firstCommentOf } from '../../platforms/kit/first-comment.ts'
import type { Costs } from '../../platforms/kit/costs.ts'
import { findAccount } from '../../projections/models/accounts.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { laterParts, optionsOf } from './publish-job.ts'

/** At today's prices. */
export function createPrices(deps: {
  readonly db: Database
  readonly access: Pick<PlatformAccess, 'platform' | 'costsOf'>
}): Prices {
  const { db, access } = deps
  return {
    ofPost: async (content) => {
      const targets = Object.entries(content.selections).flatMap(([platform, ids]) =>
        isPlatformKey(platform) ? [...new Set(ids)].map((accountId) => ({ platform, accountId })) : [],
      )
      const prices = targets.map(async (target) => {
        const row = await findAccount(db, target.accountId)
        if (row?.platform !== target.platform || row.workspaceId !== content.workspaceId) return 0
        const costs = access.costsOf({ platform: row.platform, baseUrl: row.baseUrl ?? undefined })
        if (!costs) return 0
        const platform = access.platform(target.platform)
        const comment = firstCommentOf(platform, content, optionsOf(content, platform, target))
        const parts = laterParts(content, target.platform).map(({ text }) => text)
        return sumOf(costs, [
          finalText(content, target.platform),
          ...parts,
          ...(comment === undefined ? [] : [comment]),
        ])
      })
      return (await Promise.all(prices)).reduce((all, one) => all + one, 0)
    },
    ofReply: ({ platform, baseUrl }, text) => {
      const costs = access.costsOf({ platform, baseUrl: baseUrl ?? undefined })
      return costs ? microUsdOf(costs, costs.reply(text)) : 0
    },
  }
}

function sumOf(costs: Costs, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + microUsdOf(costs, costs.publish(text)), 0)
}

function microUsdOf({ kinds }: Costs, kind: string): number {
  return kinds[kind]?.microUsd ?? 0
}
