import * as z from 'zod'
import { load, type CommandDeps } from '../../../commands/handle.ts'
import { derivedUlid } from '../../../domain/core/ids.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { asText } from '../../../domain/core/text.ts'
import { post, type Due, type PostContent, type ScheduledPost } from '../../../domain/post/post.ts'
import type { PreviewPost } from '../../../domain/post/post-preview.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import { eachOf } from '../../../infra/runtime/each-of.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { connectedAccounts } from '../../../projections/models/accounts.ts'
import { check } from '../../http/validation.ts'
import type { When } from '../posts/new-posts.ts'
import { dueBody, dueOf } from '../posts/post-schemas.ts'
import { wholeContent } from '../posts/whole-content.ts'
import { allTaken, freeSlots, NEXT_SLOT } from '../slots/next-slot.ts'
import { bodyOfRow, readPlan, type NamedAccount, type PlanRow } from './plan-csv.ts'

/** Of the rows that an error's message names; its details name all. */
const MOST_NAMED = 5
const NAMED_LENGTH = 250
const PREVIEWS_AT_ONCE = 4
/** The answer comes within the time limit of a request: from then on (ms), no preview is begun. */
const PREVIEWS_MS = 8_000

export const importedRow = z.object({
  row: z.int().describe('1 is the first below the header.'),
  id: z.string().optional().describe('The scheduled post.'),
  scheduledAtUtc: z.iso.datetime().optional(),
  problems: z.array(z.string()).describe('Empty if it is or can be scheduled.'),
  warnings: z.array(z.string()),
})
export type ImportedRow = z.infer<typeof importedRow>

export interface Plan {
  readonly workspaceId: string
  readonly csv: string
  /** Of local times. */
  readonly timezone: string
  readonly onInvalid: 'reject' | 'skip'
  /** Numbers of the rows to read. Absent: all. */
  readonly rows?: readonly number[] | undefined
  /** The ids of the posts derive from it: a repeat schedules nothing twice. */
  readonly name: string
}

interface ImportDeps extends CommandDeps {
  readonly db: Database
}

interface Ready {
  readonly row: number
  readonly id: string
  readonly content: PostContent
  readonly due: Due | typeof NEXT_SLOT
}
type Read = Ready | ImportedRow

function isReady(row: Read): row is Ready {
  return 'content' in row
}

/**
 * Schedules each row of a plan.
 *
 * @param schedule one post, at its time or at the next free slot
 * @throws Refusal invalid_request when the file is not valid, or when a row is not and `onInvalid` is `reject`: then nothing was
 *   scheduled
 */
export async function importPlan(
  deps: ImportDeps,
  plan: Plan,
  schedule: (post: Omit<Ready, 'row' | 'due'> & { readonly due: When }) => Promise<ScheduledPost>,
): Promise<readonly ImportedRow[]> {
  const rows = await readRows(deps, plan)
  const invalid = rows.flatMap((row) => (isReady(row) ? [] : [row]))
  if (plan.onInvalid === 'reject' && invalid.length > 0) throw rejected(invalid)
  const slotsFor = sharedSlots(deps)
  // One after the other: a row may depend on the slots of those before it.
  return goOn(namedTimesFirst(rows), 1, ({ row, due, ...post }) =>
    orProblem(row, async () => {
      const made = await schedule({ ...post, due: due === NEXT_SLOT ? () => slotsFor(post.content) : due })
      if (made.status === 'cancelled')
        throw new Refusal('failed_precondition', `${post.id} was imported before, and cancelled.`)
      return { row, id: post.id, scheduledAtUtc: made.due.dueAt, problems: [], warnings: [] }
    }),
  )
}

/** Checks and previews each row of a plan, and schedules nothing. @throws Refusal invalid_request when the file is not valid */
export async function tryPlan(
  deps: ImportDeps & { readonly previewPost: PreviewPost },
  plan: Plan,
): Promise<readonly ImportedRow[]> {
  const taken = new Set<string>()
  const slotsFor = sharedSlots(deps)
  const timed = await goOn(namedTimesFirst(await readRows(deps, plan)), 1, (row) =>
    orProblem(row.row, async () => ({ ...row, dueAt: await timeOf(row, taken, slotsFor) })),
  )
  const until = deps.clock.now() + PREVIEWS_MS
  return goOn(timed, PREVIEWS_AT_ONCE, async ({ row, content, dueAt: scheduledAtUtc }) => {
    if (deps.clock.now() > until) {
      const warnings = ['It was not previewed, because the rows before it took too long. Try fewer rows.']
      return { row, scheduledAtUtc, problems: [], warnings }
    }
    const previews = await deps.previewPost(content)
    const problems = [...new Set(previews.flatMap((preview) => preview.problems))]
    return { row, scheduledAtUtc, problems, warnings: [...new Set(previews.flatMap((preview) => preview.warnings))] }
  })
}

async function readRows(deps: ImportDeps, plan: Plan): Promise<readonly Read[]> {
  const numbered = readPlan(plan.csv).map((values, index) => ({ values, row: index + 1 }))
  const rows = numbered.filter(({ row }) => plan.rows?.includes(row) ?? true)
  const accounts = await connectedAccounts(deps.db, plan.workspaceId)
  return Promise.all(rows.map(({ values, row }) => orProblem(row, () => readRow(deps, plan, accounts, values, row))))
}

async function readRow(
  { log, clock }: ImportDeps,
  { workspaceId, timezone, name }: Plan,
  accounts: readonly NamedAccount[],
  values: PlanRow,
  row: number,
): Promise<Ready> {
  const body = bodyOfRow(values, accounts, timezone)
  const content = wholeContent(body, 'the row')
  const id = resourceId('post', derivedUlid('import', name, row))
  const due = dueOf(check(dueBody, body, 'the row'))
  // A repeat finds what it has scheduled already, even if its time has come.
  const isPast = due !== NEXT_SLOT && Date.parse(due.dueAt) <= clock.now()
  if (isPast && (await load(log, post, id)).status === 'absent') {
    throw new Refusal('invalid_request', `scheduled_for must be in the future; ${due.dueAt} has passed`)
  }
  return { row, id, content: { ...content, workspaceId }, due }
}

/** So that no row gets a slot that a later one names as its time. */
function namedTimesFirst(rows: readonly Read[]): readonly Read[] {
  const isNamed = (row: Read) => !isReady(row) || row.due !== NEXT_SLOT
  return [...rows.filter(isNamed), ...rows.filter((row) => !isNamed(row))]
}

/** The free slots for posts to the same accounts, which each post takes on from the one before: a search for each would take minutes. */
function sharedSlots(deps: ImportDeps): (content: PostContent) => Promise<Iterator<Due>> {
  const found = new Map<string, Promise<Iterator<Due>>>()
  return ({ workspaceId, selections }) => {
    const key = JSON.stringify(Object.entries(selections).toSorted())
    const slots = found.get(key) ?? freeSlots(deps, { workspaceId, selections })
    found.set(key, slots)
    return slots
  }
}

/** @param taken the time of each account in the rows before, to which those of this row are added */
async function timeOf(
  { content, due }: Ready,
  taken: Set<string>,
  slotsFor: ReturnType<typeof sharedSlots>,
): Promise<string> {
  const keysAt = (at: string) => Object.values(content.selections).flatMap((ids) => ids.map((id) => `${at} ${id}`))
  const take = (at: string) => {
    for (const key of keysAt(at)) taken.add(key)
    return at
  }
  if (due !== NEXT_SLOT) return take(due.dueAt)
  const slots = await slotsFor(content)
  for (let next = slots.next(); next.done !== true; next = slots.next()) {
    const { dueAt } = next.value
    if (!keysAt(dueAt).some((key) => taken.has(key))) return take(dueAt)
  }
  throw allTaken()
}

function rejected(rows: readonly ImportedRow[]): Refusal {
  const messages = rows.map(({ row, problems }) => `row ${row}: ${problems.join('; ')}`)
  const named = messages.slice(0, MOST_NAMED).map((message) => asText(message, NAMED_LENGTH))
  const more = rows.length > named.length ? ` And ${rows.length - named.length} more.` : ''
  const message =
    `csv has rows that cannot be scheduled, so nothing was. ${named.join('. ')}.${more} Set onInvalid to skip to schedule ` +
    'the others.'
  return new Refusal('invalid_request', message, { details: messages.map((message) => ({ path: 'csv', message })) })
}

async function orProblem<T>(row: number, run: () => Promise<T>): Promise<T | ImportedRow> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal) return { row, problems: [error.message], warnings: [] }
    throw error
  }
}

/** Goes on with the rows that have no problem yet. @returns all, in the order of the file */
async function goOn<Row extends { readonly row: number }, Result extends { readonly row: number }>(
  rows: readonly (Row | ImportedRow)[],
  atOnce: number,
  run: (row: Row) => Promise<Result | ImportedRow>,
): Promise<(Result | ImportedRow)[]> {
  const results: (Result | ImportedRow)[] = []
  await eachOf(rows, atOnce, async (row) => void results.push('problems' in row ? row : await run(row)))
  return results.toSorted((a, b) => a.row - b.row)
}
