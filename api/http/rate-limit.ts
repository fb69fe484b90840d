import type { Database } from '../../infra/postgres/pool.ts'
import type { Clock } from '../../infra/runtime/clock.ts'

/** The state of a caller's allowance: the window, of minute and day, that has less left. */
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

/** Admits a request of a caller (an API key, or an address without one), counting it when it is admitted. */
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
 * Fixed windows aligned to the clock (minute, UTC day), counted in Postgres by all processes together, so exactly the
 * allowed number passes. Requests that arrive while a count is under way are counted together by the next one.
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
    // The database first, then the callers: they have work of their own.
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

/** @returns how to tell those who wait; what went wrong is told them too */
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
        // When both are used up the day is what has to be waited for.
        const byMinute = row.minute_left < row.day_left
        // Below zero where the limits were lowered since.
        const left = Math.max(0, byMinute ? row.minute_left : row.day_left)
        bySubject.get(row.subject)?.forEach(({ resolve }, index) => {
          resolve({
            admitted: index < row.granted,
            limit: byMinute ? perMinute : perDay,
            // In the order they came: the first of the batch has the most left.
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

/** Deletes the windows of callers that have not been here today. */
export async function sweepRateWindows(db: Database, now: number): Promise<void> {
  await db.query('delete from service.rate_windows where day < $1', [Math.floor(now / DAY)])
}
