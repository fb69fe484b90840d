import { atMost, systemClock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { packageVersion } from '../../infra/runtime/package-root.ts'
import type { Settings } from '../../infra/runtime/settings.ts'
import { createMetrics, type Metrics } from '../telemetry/prometheus.ts'
import { startTraceSdk } from '../telemetry/sdk.ts'
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import { createTracing, NO_TRACING } from '../telemetry/tracing.ts'

/** How long (ms) an unreachable trace receiver may delay a stop. */
const CLOSE_PATIENCE_MS = 3_000

export interface Observation {
  readonly metrics: Metrics
  readonly telemetry: Telemetry
  close(): Promise<void>
}

/** Starts metrics, and traces if the settings name a receiver. */
export function startObservation(settings: Settings, logger: Logger): Observation {
  const clock = systemClock
  const metrics = createMetrics({ clock, logger })
  const identity = { version: packageVersion(), instance: settings.NODE_NAME }
  const sdk = wantsTraces(settings) ? startTraceSdk(identity, logger) : undefined
  const tracing = sdk ? createTracing(sdk.tracer, sdk.named, sdk.propagator) : NO_TRACING
  return {
    metrics,
    telemetry: createTelemetry({ meter: metrics.meter, tracing, logger, clock }),
    close: async () => {
      if (sdk) await atMost(clock, CLOSE_PATIENCE_MS, sdk.close())
    },
  }
}

function wantsTraces(settings: Settings): boolean {
  const { OTEL_TRACES_EXPORTER: exporter } = settings
  if (exporter !== undefined) return exporter !== 'none'
  return [settings.OTEL_EXPORTER_OTLP_ENDPOINT, settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some(Boolean)
}
