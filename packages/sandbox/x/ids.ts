import type { Clock } from '../../../infra/runtime/clock.ts'
import type { Ledger } from '../ledger.ts'

const EPOCH = 1_288_834_974_657n
const SEQUENCE_BITS = 22n

/** Ids in X's format: decimal, with the creation time in the upper bits. */
export function snowflakes(clock: Pick<Clock, 'now'>): (taken: (id: string) => boolean) => string {
  let sequence = 0n
  return (taken) => {
    for (;;) {
      sequence = (sequence + 1n) % (1n << SEQUENCE_BITS)
      const id = snowflake(clock.now(), sequence)
      if (!taken(id)) return id
    }
  }
}

export function snowflake(madeAt: number, sequence: bigint): string {
  return String(((BigInt(madeAt) - EPOCH) << SEQUENCE_BITS) | sequence)
}

/** Every text on X is a post, by any author. */
export function isPost(id: string, ledger: Ledger): boolean {
  return ledger.post('x', id) !== undefined || ledger.comment('x', id) !== undefined
}

/** Creation time of an id, in milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number((BigInt(id) >> SEQUENCE_BITS) + EPOCH)
}
