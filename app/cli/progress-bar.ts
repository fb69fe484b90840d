import type { Clock } from '../../infra/runtime/clock.ts'

/** Shows the progress of some work to the user. */
export interface ProgressBar {
  /** @param done of `total`, in any unit; `events` were read so far */
  show(done: number, total: number, events: number): void
  /** Shows a step without numbers. */
  tell(what: string): void
  end(): void
}

export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const BAR = 24
/** How often to update: on a terminal, or when each update adds a line. */
const EVERY_MS = { terminal: 100, lines: 5_000 }

/** A single updated line on a terminal, otherwise an occasional new line. */
export function progressBar(output: Terminal, clock: Clock): ProgressBar {
  const terminal = output.isTTY === true
  const began = clock.now()
  let [shownAt, first]: [number | undefined, number | undefined] = [undefined, undefined]
  const write = (line: string) => {
    if (!terminal) output.write(`… ${line}\n`)
    else output.write(`\r\u001b[K${line.slice(0, Math.max(20, (output.columns ?? 80) - 1))}`)
  }
  return {
    show: (done, total, events) => {
      first ??= done
      const now = clock.now()
      const every = terminal ? EVERY_MS.terminal : EVERY_MS.lines
      if (shownAt !== undefined && now - shownAt < every && done < total) return
      shownAt = now
      const seconds = Math.max(0.001, (now - began) / 1000)
      const left = done > first ? ((total - done) / (done - first)) * seconds : undefined
      const share = total > 0 ? Math.min(1, done / total) : 1
      const full = Math.round(share * BAR)
      const bar = terminal ? `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ` : ''
      const remaining = left === undefined ? '' : `, ${time(left)} left`
      write(
        `${bar}${Math.floor(share * 100)} %, ${events} events, ${Math.round(events / seconds)} events/s${remaining}`,
      )
    },
    tell: (what) => write(what),
    end: () => {
      if (terminal) output.write('\r\u001b[K')
    },
  }
}

/** @param seconds non-negative */
function time(seconds: number): string {
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return whole >= 60 ? `${minutes} min ${whole % 60} s` : `${whole} s`
}
