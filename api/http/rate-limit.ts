import type { Database } from '../../infra/postgres/pool.ts'
import type { Clock } from '../../infra/runtime/clock.ts'

/** A caller's allowance in the window, minute or day, that has less left. */
export interface Allowance {
  readonly admitted: boolean
  readonly limit: number
  readonly remaining: number
  /** Unix epoch seconds. */
  readonly resetAt: number
}

/** The headers of api-spec §8, on every response. */
export function allowanceHeaders({ limit, remaining, resetAt }: Allowance): Readonly<Record<string, number>> {
  return { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining, 'X-RateLimit-Reset': resetAt }
}

/** Admits requests of a subject, such as an API key or an address, and counts those that it admits. */
export interface RateLimiter {
  admit(subject: string): Promise<Allowance>
}

interface Waiting {
  readonly subject: string
  resolve(allowance: Allowance): void
  reject(error: unknown): void
}

interface AdmittedRow {
  readonly subject: string
  readonly granted: number
  readonly minute_left: number
  readonly day_left: number
}

const MINUTE = 60_000
const DAY = 86_400_000

/**
 * Fixed windows aligned to the clock (minute, UTC day), counted in Postgres across all processes, so exactly the allowed
 * number passes. Requests that arrive during a query are counted together by the next one.
 */
export function createRateLimiter(
  db: Database,
  clock: Clock,
  limits: { readonly perMinute: number; readonly perDay: number },
): RateLimiter {
  let waiting: Waiting[] = []
  let running = false

  const run = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    const settle = await countAll(db, clock.now(), limits, batch)
    // The next query first, then the callers, which have work of their own.
    if (waiting.length > 0) void run()
    else running = false
    settle()
  }

  return {
    admit: (subject) =>
      new Promise((resolve, reject) => {
        waiting.push({ subject, resolve, reject })
        if (running) return
        running = true
        setImmediate(() => void run())
      }),
  }
}

/** @returns a function that settles the waiting requests, with an error if the count failed */
async function countAll(
  db: Database,
  now: number,
  { perMinute, perDay }: { readonly perMinute: number; readonly perDay: number },
  batch: readonly Waiting[],
): Promise<() => void> {
  const [minute, day] = [Math.floor(now / MINUTE), Math.floor(now / DAY)]
  const bySubject = new Map<string, Waiting[]>()
  for (const item of batch) {
    const same = bySubject.get(item.subject)
    if (same) same.push(item)
    else bySubject.set(item.subject, [item])
  }
  const subjects = [...bySubject.keys()].sort()
  try {
    const { rows } = await db.query<AdmittedRow>({
      name: 'admit',
      text: 'select subject, granted, minute_left, day_left from service.admit($1, $2, $3, $4, $5, $6)',
      values: [subjects, subjects.map((subject) => bySubject.get(subject)?.length), minute, day, perMinute, perDay],
    })
    return () => {
      for (const row of rows) {
        // When both are used up, the caller has to wait for the day.
        const byMinute = row.minute_left < row.day_left
        // Below zero when the limits were lowered since.
        const left = Math.max(0, byMinute ? row.minute_left : row.day_left)
        bySubject.get(row.subject)?.forEach(({ resolve }, index) => {
          resolve({
            admitted: index < row.granted,
            limit: byMinute ? perMinute : perDay,
            // In order of arrival: the first of the batch has the most left.
            remaining: left + Math.max(0, row.granted - 1 - index),
            resetAt: byMinute ? (minute + 1) * 60 : (day + 1) * 86_400,
          })
        })
      }
    }
  } catch (error) {
    return () => batch.forEach(({ reject }) => reject(error))
  }
}

/** Deletes the windows of callers without a request today. */
export async function sweepRateWindows(db: Database, now: number): Promise<void> {
  await db.query('delete from service.rate_windows where day < $1', [Math.floor(now / DAY)])
}
