import { COST, hashPassword, isPassword } from './password-hash.ts'
import type { Database } from './pool.ts'

/**
 * Password hashes, keyed by an id that the user's events name. A hash is stored before its event, so the event alone decides: of
 * two concurrent changes, one is rejected and its password never takes effect.
 */
export interface Passwords {
  put(id: string, password: string): Promise<void>
  /** Whether the password matches; takes as long if there is none. */
  matches(id: string | undefined, password: string): Promise<boolean>
  /** Whether there is one: a user who joined by single sign-on has none until a reset link sets one. */
  has(id: string): Promise<boolean>
  forget(id: string): Promise<void>
}

export function createPasswords(db: Database, cost = COST): Passwords {
  return {
    put: async (id, password) => {
      const hash = await hashPassword(password, cost)
      await db.query('insert into service.passwords (id, hash) values ($1, $2)', [id, hash])
    },
    matches: async (id, password) => {
      const { rows } = await db.query<{ hash: string }>('select hash from service.passwords where id = $1', [id ?? ''])
      return isPassword(password, rows[0]?.hash, cost)
    },
    has: async (id) => {
      const { rows } = await db.query('select from service.passwords where id = $1', [id])
      return rows.length > 0
    },
    forget: async (id) => void (await db.query('delete from service.passwords where id = $1', [id])),
  }
}
