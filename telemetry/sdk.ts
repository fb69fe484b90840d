import {
  context,
  diag,
  DiagLogLevel,
  type ContextManager,
  type TextMapPropagator,
  type Tracer,
} from '@opentelemetry/api'
import { join } from 'node:path'
import { z } from 'zod'
import type { Logger } from '../system/logger.ts'
import { fromPackages, isFunction } from '../system/optional-packages.ts'
import { packageRoot } from '../system/package-root.ts'
import type { Life } from './life.ts'
import type { Named } from './tracing.ts'

/** OpenTelemetry's SDK, set to work. */
export interface TraceSdk {
  readonly tracer: Tracer
  readonly named: Named
  readonly propagator: TextMapPropagator
  /** Sends what is still here, as far as somebody takes it, and ends. */
  close(): Promise<void>
}

/* The parts of the SDK that are used here; its own types are only there where it is installed. */

interface IdGenerator {
  generateTraceId(): string
  generateSpanId(): string
}
interface Provider {
  getTracer(name: string, version: string): Tracer
  shutdown(): Promise<void>
}
interface Resource {
  merge(other: Resource): Resource
}
type Processor = object
type Exporter = object

const made = <T>() => z.custom<T>(isFunction)
const parts = {
  provider:
    made<new (options: { resource: Resource; idGenerator: IdGenerator; spanProcessors: Processor[] }) => Provider>(),
  processor: made<new (exporter: Exporter) => Processor>(),
  randomIds: made<new () => IdGenerator>(),
  exporter: made<new () => Exporter>(),
  resource: made<(attributes: Readonly<Record<string, string>>) => Resource>(),
  detect: made<(options: { readonly detectors: readonly object[] }) => Resource>(),
  environment: z.custom<object>((value) => typeof value === 'object' && value !== null),
  contexts: made<new () => ContextManager>(),
  propagator: made<new () => TextMapPropagator>(),
}

const SDK = '@opentelemetry/sdk-trace-base'

/**
 * Traces that go to an OTLP receiver. Where to, how many, and what the service is called there, the SDK reads from
 * OpenTelemetry's own environment variables.
 *
 * @param setting that asks for it, as `NAME=value`
 * @throws SettingsError when the packages are not installed
 */
export function startTraceSdk(
  { setting, version, instance }: { readonly setting: string; readonly version: string; readonly instance: string },
  logger: Logger,
  folder = join(packageRoot(), 'telemetry'),
): TraceSdk {
  const sdk = fromPackages({ setting, folder, install: 'npm run telemetry:install' }, (exported) => ({
    Provider: exported(SDK, 'BasicTracerProvider', parts.provider),
    Processor: exported(SDK, 'BatchSpanProcessor', parts.processor),
    RandomIds: exported(SDK, 'RandomIdGenerator', parts.randomIds),
    Exporter: exported('@opentelemetry/exporter-trace-otlp-http', 'OTLPTraceExporter', parts.exporter),
    resourceOf: exported('@opentelemetry/resources', 'resourceFromAttributes', parts.resource),
    detect: exported('@opentelemetry/resources', 'detectResources', parts.detect),
    environment: exported('@opentelemetry/resources', 'envDetector', parts.environment),
    Contexts: exported('@opentelemetry/context-async-hooks', 'AsyncLocalStorageContextManager', parts.contexts),
    Propagator: exported('@opentelemetry/core', 'W3CTraceContextPropagator', parts.propagator),
  }))
  // A receiver that is away is the operator's to know; what it answers is not repeated.
  const warn = (message: string) => logger.warn({ reason: message.slice(0, 300) }, 'traces could not be sent')
  diag.setLogger(
    { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new sdk.Contexts().enable())
  const { generator, named } = namedIds(new sdk.RandomIds())
  const own = { 'service.name': 'fanfare', 'service.version': version, 'service.instance.id': instance }
  const provider = new sdk.Provider({
    resource: sdk.resourceOf(own).merge(sdk.detect({ detectors: [sdk.environment] })),
    idGenerator: generator,
    spanProcessors: [new sdk.Processor(new sdk.Exporter())],
  })
  return {
    tracer: provider.getTracer('fanfare', version),
    named,
    propagator: new sdk.Propagator(),
    close: async () => {
      await provider.shutdown().catch((error: unknown) => warn(error instanceof Error ? error.message : ''))
      context.disable()
      diag.disable()
    },
  }
}

/** Ids by chance, but for the span at which a life begins. */
function namedIds(random: IdGenerator): { readonly generator: IdGenerator; readonly named: Named } {
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
