import type { ClientBase } from 'pg'
import type { Database } from '../../../infra/postgres/pool.ts'
import { START } from '../../../event-log/event-log.ts'

/** Maps the checkpoints of followers from one log to another that receives its events. */
export interface FollowerPlaces {
  /** Their checkpoints in the source log. */
  readonly milestones: readonly bigint[]
  /** Records that the event at `from` is now at `to`. */
  reach(from: bigint, to: bigint): void
  /** Moves the checkpoints, so that followers resume in the new log exactly where they were in the old one. */
  move(client: Pick<ClientBase, 'query'>): Promise<void>
}

export async function followerPlaces(db: Database): Promise<FollowerPlaces> {
  const { rows } = await db.query<{ name: string; position: string }>('select name, position from service.followers')
  const places = rows.map(({ name, position }) => ({ name, from: BigInt(position), to: START }))
  return {
    milestones: places.map(({ from }) => from),
    reach: (from, to) => {
      for (const place of places) if (from <= place.from && to > place.to) place.to = to
    },
    move: async (client) => {
      for (const { name, to } of places) {
        await client.query('update service.followers set position = $2 where name = $1', [name, String(to)])
      }
    },
  }
}
