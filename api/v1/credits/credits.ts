import * as z from 'zod'
import { balanceOf, creditEntries, type CreditEntryRow } from '../../../projections/models/credit-entries.ts'
import { newestFirst } from '../../../projections/engine/newest-first.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { creditEntrySchema } from '../videos/video-schemas.ts'

/** The balance of AI credits and its entries (api-spec §4, Accounts and credits). */
export function creditRoutes(services: Services): readonly AnyRoute[] {
  const { db } = services
  return [
    route({
      method: 'GET',
      path: '/credits',
      operationId: 'getCredits',
      summary: 'Get the remaining AI credits; only POST /videos spends them',
      tag: 'Credits',
      scope: 'credits:read',
      query: atQuery,
      answer: { status: 200, description: 'The balance.', schema: z.object({ credits: z.int() }) },
      handle: async ({ query: { at }, caller }) => ({
        status: 200,
        body: { credits: await balanceOf(db, caller.workspaceId, at) },
      }),
    }),

    listRoute(services, {
      path: '/credits/ledger',
      operationId: 'listCreditEntries',
      summary: 'List credits granted, charged and refunded, newest first',
      description: 'Each with the balance after it.',
      tag: 'Credits',
      scope: 'credits:read',
      plural: 'entries',
      item: creditEntrySchema,
      fetch: (page) => newestFirst(db, creditEntries, page),
      present: shownEntry,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),
  ]
}

function shownEntry(row: CreditEntryRow): z.infer<typeof creditEntrySchema> {
  return {
    ...{ id: row.id, kind: row.kind, amount: row.amount, balance: row.balance, createdAt: row.createdAt },
    ...(row.videoId !== null && { videoId: row.videoId }),
    ...(row.reason !== null && { reason: row.reason }),
  }
}
