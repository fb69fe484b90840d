import type { Clock } from '../../../infra/runtime/clock.ts'
import type { Ledger } from '../ledger.ts'

const SEQUENCE_BITS = 16n

/** Ids in Mastodon's format: decimal, with the creation time in the upper bits. */
export function snowflakes(clock: Clock): (taken: (id: string) => boolean) => string {
  let sequence = 0n
  return (taken) => {
    for (;;) {
      sequence = (sequence + 1n) % (1n << SEQUENCE_BITS)
      const id = String((BigInt(clock.now()) << SEQUENCE_BITS) | sequence)
      if (!taken(id)) return id
    }
  }
}

export function isPost(id: string, ledger: Ledger): boolean {
  return ledger.post('mastodon', id) !== undefined || ledger.comment('mastodon', id) !== undefined
}
