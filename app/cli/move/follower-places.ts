import type { ClientBase } from 'pg'
import type { Database } from '../../../infra/postgres/pool.ts'
import { START } from '../../../event-log/event-log.ts'

/** Where followers stand in one log, and will stand in another that gets its events. */
export interface FollowerPlaces {
  /** Where they stand. */
  readonly milestones: readonly bigint[]
  /** What was at `from` is at `to` now. */
  reach(from: bigint, to: bigint): void
  /** Has them go on in the other log right where they were in the one. */
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
