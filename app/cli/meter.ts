import type { Clock } from '../../infra/runtime/clock.ts'
import { tell } from './run.ts'

/** Between two lines on how far it is (ms). */
const TELL_EVERY_MS = 2_000

/** Tells now and then how far a piece of work is, and how fast it goes. */
export function meter({ clock }: { readonly clock: Clock }) {
  let [doing, begun, told, before] = ['', 0, 0, 0]
  return (what: string, count: number): void => {
    const now = clock.now()
    if (what !== doing) [doing, begun, told, before] = [what, now, now, count]
    if (now - told < TELL_EVERY_MS) return
    told = now
    tell(`… ${count} ${what}, ${Math.round(((count - before) * 1000) / (now - begun))}/s`)
  }
}
