import type { Clock } from '../../infra/runtime/clock.ts'
import { tell } from './run.ts'

/** Between two progress lines (ms). */
const TELL_EVERY_MS = 2_000

/** Periodically prints the progress of a piece of work and its rate. */
export function meter({ clock }: { readonly clock: Clock }) {
  let [doing, begun, reportedAt, before] = ['', 0, 0, 0]
  return (what: string, count: number): void => {
    const now = clock.now()
    if (what !== doing) [doing, begun, reportedAt, before] = [what, now, now, count]
    if (now - reportedAt < TELL_EVERY_MS) return
    reportedAt = now
    tell(`… ${count} ${what}, ${Math.round(((count - before) * 1000) / (now - begun))}/s`)
  }
}
