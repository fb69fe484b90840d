import type * as z from 'zod'
import type { Database } from '../../infra/postgres/pool.ts'
import type { LiveAnswer } from '../../domain/analytics/live-numbers.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'

/** A question to a platform. Times are in ms. */
export interface Question<Value> {
  /** Questions with the same key share an answer. */
  readonly key: string
  readonly schema: z.ZodType<Value>
  /** How long an answer is reused. */
  readonly freshForMs: number
  ask(): Promise<{ readonly value: Value } | { readonly failure: string; readonly retryAfterMs?: number | undefined }>
}

/** Answers shared by all processes; only one process at a time asks for each. */
export interface LiveAnswers {
  get<Value>(question: Question<Value>): Promise<LiveAnswer<Value>>
}

/** Pause (ms) after a failure: this or `freshForMs`, whichever is shorter, but at least the platform's `retryAfterMs`. */
const REST_MS = 60_000
/** Exceeds the time (ms) that asking takes; after that the asker counts as crashed. */
const ASKING_MS = 12_000
/** How long to wait for another asker, and how often to poll, in ms. */
const PATIENCE_MS = 14_000
const LOOK_EVERY_MS = 50

interface AnswerRow {
  readonly answer: unknown
  readonly answered_at: string | null
  readonly failure: string | null
  readonly ask_after: string | null
}

export function liveAnswers({ db, clock }: { readonly db: Database; readonly clock: Clock }): LiveAnswers {
  const underWay = new Map<string, Promise<Settled>>()
  const keptOf = async (key: string): Promise<AnswerRow | undefined> => {
    const sql = 'select answer, answered_at, failure, ask_after from service.live_answers where key = $1'
    return (await db.query<AnswerRow>(sql, [key])).rows[0]
  }

  /** @returns a token when the caller is the one to ask; undefined when another is asking, or has answered */
  const claim = async (key: string, freshForMs: number): Promise<string | undefined> => {
    const now = clock.now()
    const { rows } = await db.query<{ asker: string }>(
      `insert into service.live_answers as a (key, asker, ask_after) values ($1, gen_random_uuid(), $2)
       on conflict (key) do update set asker = gen_random_uuid(), ask_after = $2, failure = null
       where (a.ask_after is null or a.ask_after <= $3) and (a.answered_at is null or a.answered_at <= $4)
       returning asker`,
      [key, isoTime(now + ASKING_MS), isoTime(now), isoTime(now - freshForMs)],
    )
    return rows[0]?.asker
  }

  const askNow = async <Value>({ key, freshForMs, ask }: Question<Value>, asker: string): Promise<void> => {
    const said = await ask()
    const at = isoTime(clock.now())
    if ('value' in said) {
      await db.query(
        `update service.live_answers set answer = $3, answered_at = $4, ask_after = null, failure = null
         where key = $1 and asker = $2`,
        [key, asker, JSON.stringify(said.value), at],
      )
    } else {
      const until = isoTime(clock.now() + Math.max(Math.min(freshForMs, REST_MS), said.retryAfterMs ?? 0))
      await db.query('update service.live_answers set failure = $3, ask_after = $4 where key = $1 and asker = $2', [
        ...[key, asker, said.failure, until],
      ])
    }
  }

  const settled = async <Value>(question: Question<Value>): Promise<Settled> => {
    const { key, freshForMs } = question
    const deadline = clock.now() + PATIENCE_MS
    for (;;) {
      const kept = await keptOf(key)
      const now = clock.now()
      if (kept && isSettled(kept, freshForMs, now)) return { kept, failure: kept.failure }
      const asker = await claim(key, freshForMs)
      if (asker !== undefined) await askNow(question, asker)
      else if (now >= deadline) return { kept, failure: 'The platform did not respond in time.' }
      else await clock.sleep(LOOK_EVERY_MS)
    }
  }

  return {
    get: async (question) => {
      const { key, schema } = question
      const settling = underWay.get(key) ?? settled(question).finally(() => underWay.delete(key))
      underWay.set(key, settling)
      const { kept, failure } = await settling
      const value = schema.safeParse(kept?.answer)
      return {
        ...(value.success && kept?.answered_at && { value: value.data, at: kept.answered_at }),
        ...(failure !== null && { failure }),
      }
    },
  }
}

interface Settled {
  readonly kept: AnswerRow | undefined
  readonly failure: string | null
}

/** Whether no call is needed: the answer is fresh, or asking has just failed. */
function isSettled({ answered_at, failure, ask_after }: AnswerRow, freshForMs: number, now: number): boolean {
  if (failure !== null) return Date.parse(ask_after ?? '') > now
  return Date.parse(answered_at ?? '') + freshForMs > now
}

/** After this long (ms) an answer is too old to show in place of a fresh one. */
const KEPT_MS = 7 * 86_400_000

export async function sweepLiveAnswers(db: Database, now: number): Promise<void> {
  const sql = 'delete from service.live_answers where greatest(answered_at, ask_after) < $1'
  await db.query(sql, [isoTime(now - KEPT_MS)])
}
