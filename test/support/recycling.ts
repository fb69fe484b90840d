import { addRule, type AddRule } from '../../commands/recycling-rule.ts'
import { handle } from '../../commands/handle.ts'
import type { QueuePost } from '../../commands/queue-post.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { recyclingRule, type RecyclingRuleState } from '../../domain/recycling/recycling-rule.ts'
import type { RecyclingEvent } from '../../domain/recycling/recycling-events.ts'
import { findRecyclingRule, type RecyclingRuleRow } from '../../projections/models/recycling-rules.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { ids } from './sandbox.ts'
import { causedBy, givenProcess, type Process, type World } from './world.ts'

export interface GivenRule {
  readonly id: string
  readonly account: string
  readonly sourcePostId: string
  readonly service: Process
}

/** A rule for a post that is published on one account of Bluesky. */
export async function givenRule(
  world: World,
  settings: Partial<AddRule> = {},
  source: Partial<QueuePost> = {},
): Promise<GivenRule> {
  const account = await world.account('bluesky')
  const service = await givenProcess(world)
  const selections = { bluesky: [account] }
  const sourcePostId = await service.queue({ selections, ...source })
  await service.drain()
  const id = resourceId('rule', ids.ulid())
  const { workspaceId } = world
  const rule = { workspaceId, sourcePostId, selections, intervalDays: 30, rewriteCaption: false, ...settings }
  await decide(world, id, (state) => addRule(state, rule, world.clock.now()))
  return { id, account, sourcePostId, service }
}

export async function decide(
  world: World,
  id: string,
  decision: (state: RecyclingRuleState) => readonly RecyclingEvent[],
): Promise<RecyclingRuleState> {
  return (await handle(world, recyclingRule, id, causedBy(ids.token()), decision)).state
}

/** Lets the time pass, and the service do at its time what comes due on the way. @param lateMs how late it gets to it */
export async function pass(world: World, service: Process, ms: number, lateMs = 0): Promise<void> {
  const end = world.clock.now() + ms
  await service.drain()
  for (;;) {
    const { rows } = await world.db.query<{ next: string | null }>(
      'select min(coalesce(lease_until, due_at)) as next from read.agenda',
    )
    const next = Date.parse(rows[0]?.next ?? '') + lateMs
    if (!(next <= end)) break
    await world.clock.advanceTo(next)
    await service.drain()
  }
  await world.clock.advanceTo(end)
}

export async function ruleRow({ db }: World, id: string): Promise<RecyclingRuleRow> {
  const row = await findRecyclingRule(db, id)
  if (!row) throw new Error(`no rule ${id}`)
  return row
}

/** The posts that recycling has made, oldest first. */
export async function recycled({ db }: World): Promise<readonly { id: string; at: string; caption: string }[]> {
  const { rows } = await db.query<{ id: string; at: string; caption: string }>(
    `select id, created_at as at, caption from read.posts where origin = 'recycling' order by created_at, id`,
  )
  return rows
}

/** What is owed for a rule. */
export async function owedRows({ db }: World, id: string): Promise<readonly { part: string; dueAt: string }[]> {
  const sql = `select part, due_at as "dueAt" from read.agenda where kind = 'recycle' and subject = $1`
  return (await db.query<{ part: string; dueAt: string }>(sql, [id])).rows
}

export const typesOf = (events: readonly RecordedEvent[]): readonly string[] => events.map(({ type }) => type)
