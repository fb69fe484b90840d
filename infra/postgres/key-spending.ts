import type { ClientBase } from 'pg'
import { LOCKS } from './locks.ts'
import { transaction, type Database } from './pool.ts'

/** How long (ms) it is kept which subjects were counted: as long as a request can be repeated, and its day. */
const KEPT_MS = 48 * 3_600_000

/** What a request would use up. Amounts are whole numbers. */
export interface Wish {
  readonly budget: string
  readonly amount: number
  readonly limit: number
}

export interface Spender {
  readonly keyId: string
  readonly workspaceId: string
  /** Of the workspace: `2026-11-30`. */
  readonly day: string
}

export interface Taken {
  readonly budget: string
  readonly limit: number
  /** With this. */
  readonly used: number
}

/** Rolls back: a subject takes of all budgets or of none. */
export class OverBudget extends Error {
  readonly wish: Wish
  readonly used: number

  constructor(wish: Wish, used: number) {
    super('over budget')
    this.name = 'OverBudget'
    this.wish = wish
    this.used = used
  }
}

/**
 * Takes of the budgets of a key for a subject. What has been taken for it already, also on another day, is not taken again. The
 * requests of one key take turns, so that no two of them take the last.
 *
 * @param now ISO 8601 UTC
 * @throws OverBudget
 */
export async function takeOf(
  db: Database,
  spender: Spender,
  subject: string,
  wishes: readonly Wish[],
  now: string,
): Promise<readonly Taken[]> {
  const { keyId, workspaceId, day } = spender
  return transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCKS.spending, keyId])
    const counted = await countedFor(client, keyId, subject)
    const used = (await usedBy(client, [keyId], day)).get(keyId) ?? new Map<string, number>()
    const taken = wishes.map((wish) => {
      const { budget, amount, limit } = wish
      const before = used.get(budget) ?? 0
      if (counted.has(budget)) return { budget, limit, used: before }
      if (before + amount > limit) throw new OverBudget(wish, before)
      return { budget, limit, used: before + amount }
    })
    await client.query(
      `insert into service.key_spending as spent (key_id, workspace_id, budget, subject, day, amount, holders, created_at)
       select $1, $2, budget, $3, $4, amount, 1, $7 from unnest($5::text[], $6::bigint[]) as wish (budget, amount)
       on conflict (key_id, budget, subject) do update set
         holders = spent.holders + 1,
         day = case when spent.holders = 0 then excluded.day else spent.day end,
         amount = case when spent.holders = 0 then excluded.amount else spent.amount end`,
      [
        ...[keyId, workspaceId, subject, day],
        ...[wishes.map(({ budget }) => budget), wishes.map(({ amount }) => amount), now],
      ],
    )
    return taken
  })
}

/** For a request that was refused. What another request for the subject holds stays. */
export async function giveBack(
  db: Database,
  keyId: string,
  subject: string,
  budgets: readonly string[],
): Promise<void> {
  await db.query(
    `update service.key_spending set holders = holders - 1
     where key_id = $1 and subject = $2 and budget = any($3) and holders > 0`,
    [keyId, subject, budgets],
  )
}

/** What keys have used up on a day, by budget. */
export async function usedBy(
  db: Pick<Database | ClientBase, 'query'>,
  keyIds: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const { rows } = await (db as Database).query<{ keyId: string; budget: string; used: string }>(
    `select key_id as "keyId", budget, sum(amount) as used from service.key_spending
     where key_id = any($1) and day = $2 and holders > 0 group by key_id, budget`,
    [keyIds, day],
  )
  const byKey = new Map<string, Map<string, number>>()
  for (const { keyId, budget, used } of rows) {
    byKey.set(keyId, (byKey.get(keyId) ?? new Map<string, number>()).set(budget, Number(used)))
  }
  return byKey
}

export async function sweepKeySpending(db: Database, now: number): Promise<void> {
  await db.query('delete from service.key_spending where created_at <= $1', [new Date(now - KEPT_MS).toISOString()])
}

async function countedFor(client: ClientBase, keyId: string, subject: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ budget: string }>(
    'select budget from service.key_spending where key_id = $1 and subject = $2 and holders > 0',
    [keyId, subject],
  )
  return new Set(rows.map(({ budget }) => budget))
}
