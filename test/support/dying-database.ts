import type pg from 'pg'
import type { Database } from '../../infra/postgres/pool.ts'

/** Tells of each query before it is made and when it has been. */
export function tapped(
  db: pg.Pool,
  tap: { readonly before: (sql: string) => void; readonly after?: () => void },
): Database {
  const query = async (...args: readonly [string | { readonly text: string }]) => {
    tap.before(typeof args[0] === 'string' ? args[0] : args[0].text)
    const result: unknown = await Reflect.apply(db.query, db, args)
    tap.after?.()
    return result
  }
  return new Proxy(db, { get: (_, name: 'query' | 'connect') => (name === 'query' ? query : db[name].bind(db)) })
}

/** A database of a process that dies at its nth query (from 0), before it or after it. */
export function dyingDatabase(db: pg.Pool, nth: number, moment: 'before' | 'after') {
  let queries = -1
  let dead = false
  const live = (dies: boolean) => {
    dead ||= dies && queries === nth
    if (dead) throw new Error('the process is dead')
  }
  const before = () => {
    queries += 1
    live(moment === 'before')
  }
  return { db: tapped(db, { before, after: () => live(moment === 'after') }), dead: () => dead }
}
