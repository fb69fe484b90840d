import { context, diag, DiagLogLevel, type TextMapPropagator, type Tracer } from '@opentelemetry/api'
import type * as Contexts from '@opentelemetry/context-async-hooks'
import type * as Core from '@opentelemetry/core'
import type * as Exporter from '@opentelemetry/exporter-trace-otlp-http'
import type * as Resources from '@opentelemetry/resources'
import type * as Traces from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../../infra/runtime/logger.ts'
import { loadOptional } from '../../infra/runtime/optional-packages.ts'
import type { Life } from './life.ts'
import type { Named } from './tracing.ts'

/** OpenTelemetry's SDK, configured and started. */
export interface TraceSdk {
  readonly tracer: Tracer
  readonly named: Named
  readonly propagator: TextMapPropagator
  /** Sends the remaining spans as far as the receiver takes them, and shuts down. */
  close(): Promise<void>
}

/** Loaded on first use: an installation without tracing neither needs nor waits for them. */
const PACKAGES = [
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
]

/**
 * Exports traces to an OTLP receiver. The SDK reads the endpoint, the sampling rate and the service name from OpenTelemetry's own
 * environment variables.
 *
 * @throws NotInstalled with the command that installs its packages
 */
export function startTraceSdk(
  { version, instance }: { readonly version: string; readonly instance: string },
  logger: Logger,
): TraceSdk {
  const [
    traces,
    { OTLPTraceExporter },
    { detectResources, envDetector, resourceFromAttributes },
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
  ] = loadOptional(...PACKAGES) as [typeof Traces, typeof Exporter, typeof Resources, typeof Contexts, typeof Core]
  // The operator must learn that the receiver is unreachable; its answers are not repeated.
  const warn = (message: string) => logger.warn({ reason: message.slice(0, 300) }, 'traces could not be sent')
  diag.setLogger(
    { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const { generator, named } = namedIds(new traces.RandomIdGenerator())
  const own = { 'service.name': 'fanfare', 'service.version': version, 'service.instance.id': instance }
  const provider = new traces.BasicTracerProvider({
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
    idGenerator: generator,
    spanProcessors: [new traces.BatchSpanProcessor(new OTLPTraceExporter())],
  })
  return {
    tracer: provider.getTracer('fanfare', version),
    named,
    propagator: new W3CTraceContextPropagator(),
    close: async () => {
      await provider.shutdown().catch((error: unknown) => warn(error instanceof Error ? error.message : ''))
      context.disable()
      diag.disable()
    },
  }
}

/** Random ids, except for the root span of a lifecycle. */
function namedIds(random: Traces.IdGenerator): { readonly generator: Traces.IdGenerator; readonly named: Named } {
  let next: Life | undefined
  return {
    generator: {
      generateTraceId: () => next?.traceId ?? random.generateTraceId(),
      generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    },
    named: (life, start) => {
      next = life
      try {
        return start()
      } finally {
        next = undefined
      }
    },
  }
}
