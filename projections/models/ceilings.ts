import { Refusal } from '../../domain/core/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'

/** What a workspace may have only so many of: how it is counted, called, and set. */
const COUNTED = {
  keys: { from: 'api_keys', which: 'revoked_at is null', noun: 'API keys', setting: 'MAX_KEYS' },
  accounts: { from: 'accounts', which: 'connected', noun: 'connected accounts', setting: 'MAX_ACCOUNTS' },
  feeds: { from: 'feeds', which: 'true', noun: 'feeds', setting: 'MAX_FEEDS' },
  rules: { from: 'recycling_rules', which: 'true', noun: 'recycling rules', setting: 'MAX_RECYCLING_RULES' },
  webhooks: { from: 'webhooks', which: 'true', noun: 'webhooks', setting: 'MAX_WEBHOOKS' },
  competitors: { from: 'competitors', which: 'true', noun: 'competitors', setting: 'MAX_COMPETITORS' },
  videos: { from: 'videos', which: "status = 'processing'", noun: 'videos being made', setting: 'MAX_PENDING_VIDEOS' },
} as const
export type Counted = keyof typeof COUNTED
export type CeilingSettings = Readonly<Record<(typeof COUNTED)[Counted]['setting'], number>>

/** So that one workspace never has the service look after more than it can. */
export interface Ceilings {
  /**
   * Runs what adds one, when there is room for it. Of a workspace one is added after the other, so those who add at once do not
   * all find the last place free; several processes may each add one more.
   *
   * @param place whose it is, and the id of what is added: one that is there already is not counted
   * @param add returns once what it added can be seen in the read models
   * @throws Refusal failed_precondition naming the ceiling
   */
  adding<T>(what: Counted, place: Place, add: () => Promise<T>): Promise<T>
}

export interface Place {
  readonly workspaceId: string
  readonly id: string
}

export function createCeilings(db: Database, settings: CeilingSettings): Ceilings {
  const last = new Map<string, Promise<unknown>>()
  const added = async <T>(what: Counted, { workspaceId, id }: Place, add: () => Promise<T>): Promise<T> => {
    const { from, which, noun, setting } = COUNTED[what]
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from read.${from} where workspace_id = $1 and id <> $2 and ${which}`,
      [workspaceId, id],
    )
    const most = settings[setting]
    if ((rows[0]?.count ?? 0) < most) return add()
    const message = `The workspace has ${most} ${noun}, which is the most (${setting}). Remove one, or raise the setting.`
    throw new Refusal('failed_precondition', message)
  }
  return {
    adding: (what, place, add) => {
      const key = `${what} ${place.workspaceId}`
      const mine = (last.get(key) ?? Promise.resolve()).then(() => added(what, place, add))
      const ended = mine
        .catch(() => undefined)
        .then(() => {
          if (last.get(key) === ended) last.delete(key)
        })
      last.set(key, ended)
      return mine
    },
  }
}
