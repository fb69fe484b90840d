import * as z from 'zod'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { failingOf, dueWorkOf } from '../../projections/models/due-work.ts'
import { holdsOf } from '../../infra/postgres/holds.ts'
import { OUTCOMES, RESTORED, stillPending } from '../../infra/postgres/restores.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { DashboardServices } from './services.ts'

const MOST_NEXT = 20
const MOST_FAILING = 50
const MOST_RESTORED = 50
/** Neither `found`, which is settled, nor `new`: work requested since the restore proceeds as usual. */
const SHOWN = ['unknown', 'unreachable', 'absent', 'skipped'] as const

/** How long before (ms) maintenance is announced. */
const ANNOUNCED_MS = 7 * 86_400_000

const platform = z.enum(PLATFORM_KEYS).optional()
const dueWorkSchema = z.object({
  overdue: z.int().describe('Number of tasks that are overdue by more than a minute and not in progress.'),
  heldSince: z.iso
    .datetime()
    .optional()
    .describe('Since when nothing is sent for any workspace, because a log was restored or an import is running.'),
  maintenance: z
    .object({ from: z.iso.datetime(), until: z.iso.datetime() })
    .optional()
    .describe('The next maintenance of the coming 7 days, or the present one: no post is published until it ends.'),
  restored: z
    .array(
      z.object({
        kind: z.string(),
        id: z.string(),
        platform: z.string().optional(),
        text: z.string(),
        outcome: z.enum(OUTCOMES),
        reason: z.string(),
      }),
    )
    .describe('Work that was checked after a restore of the log and is pending until it is released.'),
  next: z.array(z.object({ kind: z.string(), id: z.string(), dueAt: z.iso.datetime(), platform })),
  failing: z.array(z.object({ kind: z.string(), id: z.string(), label: z.string(), error: z.string(), platform })),
})

export function dueWorkRoutes({ db, clock, maintenance }: DashboardServices): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/due-work',
      operationId: 'getDueWork',
      summary: 'Get pending work and current failures',
      tag: 'Home',
      scope: 'dashboard',
      answer: {
        status: 200,
        description: `The next ${MOST_NEXT} tasks and up to ${MOST_FAILING} failures.`,
        schema: dueWorkSchema,
      },
      handle: async ({ caller: { workspaceId } }) => {
        const now = clock.now()
        const window = maintenance.find(({ from, until }) => from < now + ANNOUNCED_MS && until > now)
        const [{ next, late }, failing, [hold]] = await Promise.all([
          dueWorkOf(db, workspaceId, now, MOST_NEXT),
          failingOf(db, workspaceId, MOST_FAILING),
          holdsOf(db),
        ])
        const restored =
          hold?.name === RESTORED ? await stillPending(db, { workspaceId, outcomes: SHOWN, limit: MOST_RESTORED }) : []
        const body = {
          overdue: late,
          ...(hold && { heldSince: isoTime(Date.parse(hold.since)) }),
          ...(window && { maintenance: { from: isoTime(window.from), until: isoTime(window.until) } }),
          restored: restored.map(({ kind, subject: id, platform, text = '', outcome, reason }) => ({
            ...{ kind, id, text, outcome, reason },
            ...(platform && { platform }),
          })),
          next: next.map(({ kind, id, due_at: dueAt, platform }) => ({
            kind,
            id,
            dueAt,
            ...(platform && { platform }),
          })),
          failing: failing.map(({ platform, ...failure }) => ({ ...failure, ...(platform && { platform }) })),
        }
        return { status: 200, body }
      },
    }),
  ]
}
