import type { Database } from '../../infra/postgres/pool.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { Http } from '../../infra/http/http.ts'
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
  readonly dead: () => boolean
}

export function fused(world: Pick<World, 'log' | 'http' | 'db'>, point?: CrashPoint): Fused {
  const acts: string[] = []
  let dead = false

  const act = async <T>(name: string, effect: () => Promise<T>): Promise<T> => {
    if (dead) throw new Crash()
    const dies = point?.act === acts.push(name) - 1
    if (dies && point.moment === 'before') dead = true
    else {
      const settled = await effect().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
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
      request: (url, request) => act(named(request?.method, url), () => http.request(url, request)),
      stream: (url, request) => act(named(request?.method, url), () => http.stream(url, request)),
      close: async () => undefined,
    },
    // Only leases and read models are written through it, and those are no acts: what they hold can be lost at any time.
    db: new Proxy(db, {
      get: (target, property: 'query' | 'connect') =>
        dead ? () => Promise.reject(new Crash()) : target[property].bind(target),
    }),
  }
}

function named(method: string | undefined, url: string): string {
  return `${method ?? 'GET'} ${new URL(url).pathname.replace(/[0-9a-f-]{36}|acc_\w+/g, '…')}`
}
