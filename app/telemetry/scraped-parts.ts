import { atMost, type Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { GaugeName, LabelsOf } from './measures.ts'

export type Sample = {
  [Name in GaugeName]: { readonly name: Name; readonly labels: LabelsOf<Name>; readonly value: number }
}[GaugeName]

/** Gauges that are read together when somebody asks for the metrics. */
export interface Part {
  readonly name: string
  /** Whether it asks the database, so that it is kept for some seconds and counted in `fanfare_scrape_ok`. */
  readonly asks: boolean
  read(): Promise<readonly Sample[]> | readonly Sample[]
}

/** How long (ms) an answer of the database is shown again: of several who scrape, one asks. */
const FRESH_MS = 10_000
/** Prometheus gives up after 10 s: a part that takes longer than this (ms) is left out. */
const TIMEOUT_MS = 2_000

interface Reading {
  readonly samples: readonly Sample[]
  readonly at: number
}

/** Reads a part so that no scrape hurts: one reading at a time, kept for a while, and given up when it takes too long. */
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
    // What is old is left out: a figure that no longer moves looks like one that is well.
    const known = isFresh() ? last?.samples : undefined
    return [...(known ?? []), { name: 'fanfare_scrape_ok', labels: { part: part.name }, value: known ? 1 : 0 }]
  }
}
