import {
  context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanOptions,
  type TextMapPropagator,
  type Tracer,
} from '@opentelemetry/api'
import type { Life } from './life.ts'

/*
 * Spans, using OpenTelemetry's own API. Tracing wraps the parts it watches, so they know nothing about it. Error messages, texts
 * and URL queries never become attributes.
 */

export interface Tracing {
  request(given: RequestGiven): OpenRequest
  /** An append: part of the active trace, and the start of a lifecycle if it creates the stream. */
  append<T>(given: AppendGiven, work: (span: SpanEnd) => Promise<T>): Promise<T>
  /** A piece of work: part of the lifecycle it belongs to, or a trace of its own. */
  work<T>(given: WorkGiven, work: (span: SpanEnd) => Promise<T>): Promise<T>
  /** A call to an external service. No trace context is sent. */
  call<T>(given: CallGiven, work: (span: SpanEnd) => Promise<T>): Promise<T>
}

export interface RequestGiven {
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly began: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly attributes: Attributes
}

export interface OpenRequest {
  /** Runs what belongs to the request. */
  within(next: () => void): void
  end(status: number): void
}

export interface AppendGiven {
  readonly name: string
  readonly life: Life | undefined
  /** Whether this append creates the stream. */
  readonly isFirst: boolean
  /** Whether the error is expected now and then, and not to be recorded as one. */
  isUsual(error: unknown): boolean
  readonly attributes: Attributes
}

export interface WorkGiven {
  readonly name: string
  readonly life: Life | undefined
  readonly attributes: Attributes
}

export interface CallGiven {
  readonly name: string
  readonly attributes: Attributes
}

/** Takes what is known only at the end of a span. */
export interface SpanEnd {
  set(attributes: Attributes): void
  /** @param type a word from a bounded set, such as a status or an error name */
  fail(type: string): void
}

/** Makes the next span started within `start` the root of a lifecycle. */
export type Named = <T>(life: Life, start: () => T) => T

const REQUEST = createContextKey('fanfare request')

interface PendingRequest {
  /** Starts the span if it is not running yet, in the lifecycle that the request turns out to belong to. */
  start(life?: Life, isFirst?: boolean): Span
}

export function createTracing(tracer: Tracer, named: Named, propagator: TextMapPropagator): Tracing {
  /** The root of a lifecycle as a parent context, with the sampling decision that it has or would have. */
  const beginningOf = (life: Life): Context => {
    const { traceFlags } = named(life, () => tracer.startSpan('sample', { root: true })).spanContext()
    return trace.setSpanContext(ROOT_CONTEXT, { ...life, traceFlags, isRemote: true })
  }

  const underWay = (life?: Life, isFirst?: boolean): Context => {
    const active = context.active()
    if (trace.getSpan(active)) return active
    const request = active.getValue(REQUEST) as PendingRequest | undefined
    return request ? trace.setSpan(active, request.start(life, isFirst)) : active
  }

  const run = async <T>(
    span: Span,
    within: Context,
    work: (span: SpanEnd) => Promise<T>,
    isUsual?: (error: unknown) => boolean,
  ): Promise<T> => {
    try {
      return await context.with(trace.setSpan(within, span), () => work(spanEnd(span)))
    } catch (error) {
      if (!isUsual?.(error)) spanEnd(span).fail(error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }

  return {
    request: ({ name, began, headers, attributes }) => {
      const caller = propagator.extract(ROOT_CONTEXT, headers, {
        get: (carrier: typeof headers, key) => carrier[key],
        keys: (carrier: typeof headers) => Object.keys(carrier),
      })
      let span: Span | undefined
      const start: PendingRequest['start'] = (life, isFirst = false) => {
        const options: SpanOptions = { kind: SpanKind.SERVER, startTime: began, attributes }
        if (span) return span
        if (trace.getSpanContext(caller)) span = tracer.startSpan(name, options, caller)
        else if (life && isFirst) span = named(life, () => tracer.startSpan(name, { ...options, root: true }))
        else span = tracer.startSpan(name, options, life ? beginningOf(life) : ROOT_CONTEXT)
        return span
      }
      const pending: PendingRequest = { start }
      const own = ROOT_CONTEXT.setValue(REQUEST, pending)
      return {
        within: (next) => context.with(own, next),
        end: (status) => {
          const started = start()
          started.setAttribute('http.response.status_code', status)
          if (status >= 500) spanEnd(started).fail(String(status))
          started.end()
        },
      }
    },

    append: async ({ name, life, isFirst, attributes, isUsual }, work) => {
      const before = underWay(life, isFirst)
      const current = trace.getSpanContext(before)
      const isItsOwn = current?.spanId === life?.spanId
      // A lifecycle that starts within a foreign trace gets its own root here, linked to that trace.
      const beginning =
        life && isFirst && !isItsOwn
          ? named(life, () => tracer.startSpan(`begin ${name}`, { root: true, attributes, links: linksTo(current) }))
          : undefined
      const parent = !current && beginning ? trace.setSpan(before, beginning) : before
      const isElsewhere = life && current && current.traceId !== life.traceId
      const links = isElsewhere ? linksTo(trace.getSpanContext(beginningOf(life))) : []
      const span = tracer.startSpan(`append ${name}`, { attributes, links }, parent)
      const result = await run(span, parent, work, isUsual)
      // Only on success: a failed append starts nothing, and a span that is never ended is not exported.
      beginning?.end()
      return result
    },

    work: ({ name, life, attributes }, work) => {
      const parent = life ? beginningOf(life) : ROOT_CONTEXT
      return run(tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent), parent, work)
    },

    call: ({ name, attributes }, work) => {
      const parent = underWay()
      return run(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent), parent, work)
    },
  }
}

function spanEnd(span: Span): SpanEnd {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
  }
}

function linksTo(found: ReturnType<typeof trace.getSpanContext>): Link[] {
  return found ? [{ context: found }] : []
}

/** The trace fields of the current log line: none if nothing is traced. */
export function traceOfLine(): object {
  const span = trace.getSpanContext(context.active())
  return span ? { traceId: span.traceId, spanId: span.spanId } : {}
}

const SILENT: SpanEnd = { set: () => undefined, fail: () => undefined }

/** Traces nothing. */
export const NO_TRACING: Tracing = {
  request: () => ({ within: (next) => next(), end: () => undefined }),
  append: (_given, work) => work(SILENT),
  work: (_given, work) => work(SILENT),
  call: (_given, work) => work(SILENT),
}
