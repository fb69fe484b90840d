import { createHash } from 'node:crypto'
import * as z from 'zod'
import { load } from '../../../commands/handle.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { text } from '../../../domain/core/text.ts'
import { post, type Due } from '../../../domain/post/post.ts'
import { isTimeZone } from '../../../domain/post/wall-time.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { connectedAccounts } from '../../../projections/models/accounts.ts'
import { check } from '../../http/validation.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { newPosts } from '../posts/new-posts.ts'
import { allowDuplicate, dueOf, schedulePostBody, timezone } from '../posts/post-schemas.ts'
import { freeSlots, NEXT_SLOT } from '../slots/next-slot.ts'
import { bodyOfRow, COLUMNS, readPlan } from './plan-csv.ts'

const MOST_NAMED = 20
const PREVIEWS_AT_ONCE = 4

const importBody = z
  .object({
    csv: text(5_000_000).describe(
      `A CSV file with a header, at most 500 rows. Columns: ${COLUMNS.join(', ')}. scheduled_for is next-slot, a time in ` +
        'UTC, or a local time such as 2026-05-31 09:00. accounts, media_urls, alt_texts and media_type are separated by ' +
        'semicolons. An account is its id, or its platform and label such as bluesky:bakery.bsky.social.',
    ),
    timezone: timezone
      .refine(isTimeZone, { error: 'must be an IANA name such as Europe/Berlin' })
      .default('UTC')
      .describe('Of local times; an IANA name.'),
    dryRun: z.boolean().default(false).describe('Checks and previews every row, and schedules nothing.'),
    onInvalid: z
      .enum(['reject', 'skip'])
      .default('reject')
      .describe('reject: schedule nothing if a row has a problem. skip: schedule the other rows.'),
    allowDuplicate,
  })
  .meta({
    example: {
      csv: 'scheduled_for,accounts,caption,media_urls\nnext-slot,bluesky:bakery.bsky.social,Fresh,https://example.com/bread.jpg\n',
      dryRun: true,
    },
  })

const rowSchema = z.object({
  row: z.int().describe('1 is the first below the header.'),
  id: z.string().optional().describe('The scheduled post.'),
  scheduledAtUtc: z.iso.datetime().optional(),
  problems: z.array(z.string()).describe('Empty if it is or can be scheduled.'),
  warnings: z.array(z.string()),
})
type Row = z.infer<typeof rowSchema>

const importSchema = z
  .object({ scheduled: z.int().describe('How many rows were scheduled.'), rows: z.array(rowSchema) })
  .meta({ id: 'ImportedPosts' })

export function importRoutes(services: Services): readonly AnyRoute[] {
  const { db, log, clock } = services
  const make = newPosts(services)

  return [
    route({
      method: 'POST',
      path: '/scheduled-posts/import',
      operationId: 'importScheduledPosts',
      summary: 'Schedule posts from a CSV file',
      description:
        'Each row becomes a scheduled post. With dryRun, nothing is scheduled, and each row has the time it would get ' +
        'and what a preview says. A repeat with the same Idempotency-Key schedules no row twice.',
      reachesOut: true,
      mayConflict: true,
      tag: 'Scheduled posts',
      scope: 'posts:write',
      body: importBody,
      idempotent: true,
      answer: { status: 200, description: 'One item per row.', schema: importSchema },
      handle: async (request) => {
        const { csv, timezone, dryRun, onInvalid, allowDuplicate } = request.body
        const { workspaceId } = request.caller
        const plan = readPlan(csv)
        const accounts = await connectedAccounts(db, workspaceId)

        const read = await inTurn(plan, async (row, at) => {
          const id = resourceId('post', workOfRow(request.work, at))
          const rowOf = (more: Partial<Row> = {}): Row => ({ row: at + 1, problems: [], warnings: [], ...more })
          return orProblem(rowOf, async () => {
            const {
              date,
              time,
              timezone: zone,
              scheduledFor,
              allowDuplicate: _,
              ...content
            } = check(schedulePostBody, bodyOfRow(row, accounts, timezone), 'the row')
            const due = dueOf({ date, time, timezone: zone, scheduledFor })
            // A repeat finds what it has scheduled already, even if its time has come.
            const isPast = due !== NEXT_SLOT && Date.parse(due.dueAt) <= clock.now()
            if (isPast && (await load(log, post, id)).status === 'absent') {
              throw new Refusal('invalid_request', `scheduled_for must be in the future; ${due.dueAt} has passed`)
            }
            return { rowOf, id, content: { ...content, workspaceId }, due }
          })
        })

        if (dryRun) {
          const planned = new Set<string>()
          const timed = await inTurn(read, async (row) => {
            if ('problems' in row) return row
            return orProblem(row.rowOf, async () => ({ ...row, at: await timeOf(services, row, planned) }))
          })
          const rows = await inGroups(timed, PREVIEWS_AT_ONCE, async (row): Promise<Row> => {
            if ('problems' in row) return row
            const previews = await services.previewPost(row.content)
            const [problems, warnings] = [
              previews.flatMap((one) => one.problems),
              previews.flatMap((one) => one.warnings),
            ]
            return row.rowOf({
              scheduledAtUtc: row.at,
              problems: [...new Set(problems)],
              warnings: [...new Set(warnings)],
            })
          })
          return { status: 200, body: { scheduled: 0, rows } }
        }

        const invalid = read.flatMap((row) => ('problems' in row ? [row] : []))
        if (onInvalid === 'reject' && invalid.length > 0) throw rejected(invalid)
        const rows = await inTurn(read, async (row): Promise<Row> => {
          if ('problems' in row) return row
          return orProblem(row.rowOf, async () => {
            const { id, content, due, rowOf } = row
            const made = await make.schedule(
              { ...request, body: { allowDuplicate }, work: workOfRow(request.work, rowOf().row - 1) },
              id,
              content,
              due,
              'scheduled_for',
            )
            return rowOf({ id, scheduledAtUtc: made.due.dueAt })
          })
        })
        return { status: 200, body: { scheduled: rows.filter((row) => row.id !== undefined).length, rows } }
      },
    }),
  ]
}

/** A ULID for each row, the same whenever the request is repeated. */
function workOfRow(work: string, at: number): string {
  const hash = createHash('sha256').update(`${work} row ${at}`).digest()
  const letters = [...hash.subarray(0, 16)].map((byte) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[byte % 32])
  return `${work.slice(0, 10)}${letters.join('')}`
}

async function timeOf(
  services: Services,
  {
    content,
    due,
  }: { content: { workspaceId: string; selections: Record<string, string[]> }; due: Due | typeof NEXT_SLOT },
  planned: Set<string>,
): Promise<string> {
  const accountIds = Object.values(content.selections).flat()
  const keysAt = (at: string) => accountIds.map((id) => `${at} ${id}`)
  const times = due === NEXT_SLOT ? await freeSlots(services, content) : [due]
  for (const { dueAt } of times) {
    if (due === NEXT_SLOT && keysAt(dueAt).some((key) => planned.has(key))) continue
    for (const key of keysAt(dueAt)) planned.add(key)
    return dueAt
  }
  throw new Refusal('failed_precondition', 'scheduled_for is next-slot, but every slot of the next year is taken.')
}

function rejected(rows: readonly Row[]): Refusal {
  const named = rows.slice(0, MOST_NAMED).map(({ row, problems }) => `row ${row}: ${problems.join('; ')}`)
  const more = rows.length > named.length ? ` And ${rows.length - named.length} more.` : ''
  return new Refusal(
    'invalid_request',
    `csv has rows that cannot be scheduled, so nothing was. ${named.join('. ')}.${more} Set onInvalid to skip to schedule ` +
      'the others.',
  )
}

async function orProblem<T>(rowOf: (more: Partial<Row>) => Row, run: () => Promise<T>): Promise<T | Row> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal) return rowOf({ problems: [error.message] })
    throw error
  }
}

/** One after the other: a row may depend on the slots of those before it. */
async function inTurn<T, R>(items: readonly T[], run: (item: T, at: number) => Promise<R>): Promise<R[]> {
  return inGroups(items, 1, run)
}

async function inGroups<T, R>(
  items: readonly T[],
  size: number,
  run: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += size) {
    results.push(...(await Promise.all(items.slice(at, at + size).map(async (item, n) => run(item, at + n)))))
  }
  return results
}
