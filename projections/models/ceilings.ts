import { Refusal } from '../../domain/core/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'

/** The limits of a workspace: what is counted, its name and its setting. */
const COUNTED = {
  keys: { from: 'api_keys', which: 'revoked_at is null', noun: 'API keys', setting: 'MAX_KEYS' },
  accounts: { from: 'accounts', which: 'connected', noun: 'connected accounts', setting: 'MAX_ACCOUNTS' },
  feeds: { from: 'feeds', which: 'true', noun: 'feeds', setting: 'MAX_FEEDS' },
  rules: { from: 'recycling_rules', which: 'true', noun: 'recycling rules', setting: 'MAX_RECYCLING_RULES' },
  webhooks: { from: 'webhooks', which: 'true', noun: 'webhooks', setting: 'MAX_WEBHOOKS' },
  channels: { from: 'channels', which: 'true', noun: 'notification channels', setting: 'MAX_NOTIFICATION_CHANNELS' },
  competitors: { from: 'competitors', which: 'true', noun: 'competitors', setting: 'MAX_COMPETITORS' },
  videos: { from: 'videos', which: "status = 'processing'", noun: 'videos in progress', setting: 'MAX_PENDING_VIDEOS' },
} as const
export type Counted = keyof typeof COUNTED
export type CeilingSettings = Readonly<Record<(typeof COUNTED)[Counted]['setting'], number>>

/** Keeps a workspace from having more than the service can handle. */
export interface Ceilings {
  /**
   * Runs `add` if the workspace is below its limit. Additions to a workspace are serialized in this process, so that concurrent
   * ones cannot all take the last place; several processes may each exceed the limit by one.
   *
   * @param place the workspace, and the id of what is added: an existing one with that id is not counted
   * @param add resolves once what it added is visible in the read models
   * @throws Refusal failed_precondition naming the limit
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
    const message = `The workspace has ${most} ${noun}, which is the limit (${setting}). Remove one, or raise the setting.`
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
