import type { Clock } from '../../../infra/runtime/clock.ts'
import type { Ledger } from '../ledger.ts'

const EPOCH = 1_288_834_974_657n
const SEQUENCE_BITS = 22n

/** New ids in the form of X: decimal, the time of their making in the upper bits. */
export function snowflakes(clock: Clock): (taken: (id: string) => boolean) => string {
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

/** What was written on X is a post of it, whoever wrote it. */
export function isPost(id: string, ledger: Ledger): boolean {
  return ledger.post('x', id) !== undefined || ledger.comment('x', id) !== undefined
}

/** When an id was made, in milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number((BigInt(id) >> SEQUENCE_BITS) + EPOCH)
}
