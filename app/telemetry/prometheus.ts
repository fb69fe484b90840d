import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { MEASURES, type CounterName, type GaugeName, type HistogramName, type Meter } from './measures.ts'
import { scraped, type Part, type Sample } from './scraped-parts.ts'

export interface MetricsText {
  readonly contentType: string
  readonly body: string
}

/** The metrics of this process, in Prometheus's text format. */
export interface Metrics {
  readonly meter: Meter
  /** Adds gauges that are read at each scrape. */
  watch(part: Part): void
  text(): Promise<MetricsText>
}

export function createMetrics(deps: { readonly clock: Clock; readonly logger: Logger }): Metrics {
  const registry = new Registry()
  const counters = new Map<CounterName, Counter>()
  const gauges = new Map<GaugeName, Gauge>()
  const histograms = new Map<HistogramName, Histogram>()
  const parts: (() => Promise<readonly Sample[]>)[] = []

  for (const [name, measure] of Object.entries(MEASURES)) {
    const labelNames = [...measure.labels]
    const made = { name, help: measure.help, labelNames, registers: [registry] }
    if (measure.kind === 'counter') counters.set(name as CounterName, new Counter(made))
    else if (measure.kind === 'gauge') gauges.set(name as GaugeName, new Gauge(made))
    else histograms.set(name as HistogramName, new Histogram({ ...made, buckets: [...measure.buckets] }))
  }
  collectDefaultMetrics({ register: registry })

  const show = (samples: readonly Sample[]): void => {
    for (const gauge of gauges.values()) {
      gauge.reset()
      // An unlabeled series would report 0 for something never measured.
      gauge.remove({})
    }
    for (const { name, labels, value } of samples) gauges.get(name)?.set({ ...labels }, value)
  }

  return {
    meter: {
      count: (name, labels, by) => counters.get(name)?.inc({ ...labels }, by),
      observe: (name, labels, value) => histograms.get(name)?.observe({ ...labels }, value),
    },
    watch: (part) => void parts.push(scraped(part, deps)),
    text: async () => {
      const samples = await Promise.all(parts.map((read) => read()))
      show(samples.flat())
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}
