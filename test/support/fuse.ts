import type { Database } from '../../infra/postgres/pool.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { Http, HttpRequest } from '../../infra/http/http.ts'
import type { World } from './world.ts'

/** Where a process dies: at its nth outside act, before the act has any effect or right after. */
export interface CrashPoint {
  readonly act: number
  readonly moment: 'before' | 'after'
}

export class Crash extends Error {
  constructor() {
    super('the process is dead')
    this.name = 'Crash'
  }
}

/** The outside parts of one process, wired to die at a point. From then on nothing that the process does has an effect. */
export interface Fused {
  readonly log: EventLog
  readonly http: Http
  readonly db: Database
  /** What was done, in order: how many acts there are and what each was. */
  readonly acts: readonly string[]
  /** Where it could have died: one point for all those that leave the same behind. */
  readonly points: readonly CrashPoint[]
  readonly dead: () => boolean
}

export function fused(world: Pick<World, 'log' | 'http' | 'db'>, point?: CrashPoint): Fused {
  const acts: string[] = []
  const points: CrashPoint[] = []
  let dead = false
  let underWay = 0
  let hasWritten = true

  /**
   * While nothing else is under way, what is there before an act is what was there after the last one, unless the database
   * was written to; and a read leaves behind what it found.
   */
  const note = (name: string, isRead: boolean): number => {
    const n = acts.push(name) - 1
    if (hasWritten || underWay > 0) points.push({ act: n, moment: 'before' })
    if (!isRead || underWay > 0) points.push({ act: n, moment: 'after' })
    hasWritten = false
    return n
  }

  const act = async <T>(name: string, effect: () => Promise<T>, isRead = false): Promise<T> => {
    if (dead) throw new Crash()
    const dies = point?.act === note(name, isRead)
    if (dies && point.moment === 'before') dead = true
    else {
      underWay += 1
      const settled = await effect().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      underWay -= 1
      // Also when the effect came to nothing: the process does not live to see it.
      if (dies) dead = true
      if (!dead) {
        if ('error' in settled) throw settled.error
        return settled.value
      }
    }
    throw new Crash()
  }
  const alive = <T>(effect: () => T): T => {
    if (dead) throw new Crash()
    return effect()
  }

  const { log, http, db } = world
  return {
    acts,
    points,
    dead: () => dead,
    log: {
      append: (stream, events, expected) =>
        act(`append ${events.map(({ type }) => type).join('+')}`, () => log.append(stream, events, expected)),
      read: async (stream, from) => alive(() => log.read(stream, from)),
      subscribe: (after, options) => alive(() => log.subscribe(after, options)),
      head: () => alive(() => log.head()),
      ping: () => alive(() => log.ping()),
      close: async () => undefined,
    },
    http: {
      request: (url, request) => act(named(request?.method, url), () => http.request(url, request), isRead(request)),
      stream: (url, request) => act(named(request?.method, url), () => http.stream(url, request), isRead(request)),
      close: async () => undefined,
    },
    // Leases, read models and secrets are written through it. Those are no acts: what they hold can be lost at any time.
    db: new Proxy(db, {
      get: (target, property: 'query' | 'connect') => {
        if (dead) return () => Promise.reject(new Crash())
        return (...given: readonly unknown[]) => {
          if (property === 'connect' || isWrite(given[0] as string | { readonly text: string })) hasWritten = true
          return Reflect.apply(target[property], target, given)
        }
      },
    }),
  }
}

const isRead = (request: HttpRequest | undefined) => (request?.method ?? 'GET') === 'GET'

function isWrite(query: string | { readonly text: string }): boolean {
  return !/^\s*select\b(?![^]*\b(log|service)\.\w+\()/i.test(typeof query === 'string' ? query : query.text)
}

function named(method: string | undefined, url: string): string {
  return `${method ?? 'GET'} ${new URL(url).pathname.replace(/[0-9a-f-]{36}|acc_\w+/g, '…')}`
}
