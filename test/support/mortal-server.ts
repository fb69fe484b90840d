import type { Database } from '../../infra/postgres/pool.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { ApiWorld, Server } from './api.ts'

/** Where an API process dies: at its nth word with the database or the log, before it was heard or before its answer. */
export interface DeathPoint {
  readonly act: number
  readonly moment: 'before' | 'after'
}

export interface MortalServer extends Server {
  /** What it has done since `arm`, in order. */
  readonly acts: readonly string[]
  readonly dead: () => boolean
  /** From now on acts count, and it dies at the point. */
  arm(point?: DeathPoint): void
}

class Death extends Error {
  constructor() {
    super('the process is dead')
    this.name = 'Death'
  }
}

/** A server of the world whose database and log stop answering at a point: nothing that it does later has an effect. */
export async function mortalServer(api: ApiWorld): Promise<MortalServer> {
  let acts: string[] = []
  let armed: DeathPoint | undefined
  let dead = false

  const act = async <T>(name: string, effect: () => Promise<T>): Promise<T> => {
    if (dead) throw new Death()
    const dies = armed?.act === acts.push(name) - 1
    if (dies && armed?.moment === 'before') dead = true
    if (dead) throw new Death()
    const result = await effect()
    if (dies) dead = true
    if (dead) throw new Death()
    return result
  }

  const { db, log } = api.world
  const mortalDb = new Proxy<Database>(db, {
    get: (target, property: 'query' | 'connect') =>
      property === 'connect'
        ? target.connect.bind(target)
        : (query: string | { readonly text: string }, values?: unknown[]) =>
            act(named(typeof query === 'string' ? query : query.text), () =>
              typeof query === 'string' ? target.query(query, values) : target.query(query),
            ),
  })
  const mortalLog: EventLog = {
    ...log,
    append: (stream, events, expected) =>
      act(`append ${events.map(({ type }) => type).join('+')}`, () => log.append(stream, events, expected)),
    read: (stream, from) => act('read', () => log.read(stream, from)),
  }
  const server = await api.server({ services: { db: mortalDb, log: mortalLog } })
  return {
    ...server,
    get acts() {
      return acts
    },
    dead: () => dead,
    arm: (point) => {
      acts = []
      armed = point
      dead = false
    },
  }
}

function named(sql: string): string {
  const [, verb = '', table = ''] = /(select|insert|update|delete).*?((?:service|read|log)\.\w+)/is.exec(sql) ?? []
  return `${verb} ${table}`
}
