import { atMost, type Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { GaugeName, LabelsOf } from './measures.ts'

export type Sample = {
  [Name in GaugeName]: { readonly name: Name; readonly labels: LabelsOf<Name>; readonly value: number }
}[GaugeName]

/** Gauges that are read together at a scrape. */
export interface Part {
  readonly name: string
  /** Whether it queries the database; if so, it is cached for a few seconds and counted in `fanfare_scrape_ok`. */
  readonly asks: boolean
  read(): Promise<readonly Sample[]> | readonly Sample[]
}

/** How long (ms) a database reading is reused, so that several scrapers cause one query. */
const FRESH_MS = 10_000
/** Prometheus gives up after 10 s: a part that takes longer than this (ms) is left out. */
const TIMEOUT_MS = 2_000

interface Reading {
  readonly samples: readonly Sample[]
  readonly at: number
}

/** Reads a part so that scrapes cannot overload it: one reading at a time, cached, and abandoned if it takes too long. */
export function scraped(part: Part, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
  let last: Reading | undefined
  let running: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    try {
      const samples = await part.read()
      last = { samples, at: clock.now() }
    } catch (error) {
      logger.warn({ err: error, part: part.name }, 'a part of the metrics could not be read')
    } finally {
      running = undefined
    }
  }

  return async (): Promise<readonly Sample[]> => {
    if (!part.asks) return part.read()
    const isFresh = () => last !== undefined && clock.now() - last.at < FRESH_MS
    if (!isFresh()) {
      running ??= refresh()
      await atMost(clock, TIMEOUT_MS, running)
    }
    // Stale values are left out: a frozen number looks like a healthy one.
    const known = isFresh() ? last?.samples : undefined
    return [...(known ?? []), { name: 'fanfare_scrape_ok', labels: { part: part.name }, value: known ? 1 : 0 }]
  }
}
