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
 * Spans, over OpenTelemetry's own API. What is traced is known by what goes through the parts that are watched, so nothing
 * inside them knows of traces. No message of an error, no text, no query of a URL becomes an attribute.
 */

export interface Tracing {
  request(given: RequestGiven): OpenRequest
  /** An append: within what is under way, and the beginning of a life when it makes the stream. */
  append<T>(given: AppendGiven, work: (span: SpanEnd) => Promise<T>): Promise<T>
  /** A piece of work: a part of the life that it belongs to, or a trace of its own. */
  work<T>(given: WorkGiven, work: (span: SpanEnd) => Promise<T>): Promise<T>
  /** A call to somebody else. They are told nothing of the trace. */
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
  /** Runs what is to be seen as a part of the request. */
  within(next: () => void): void
  end(status: number): void
}

export interface AppendGiven {
  readonly name: string
  readonly life: Life | undefined
  /** Whether the stream begins with it. */
  readonly isFirst: boolean
  /** Whether what it throws is as it should be now and then, and no error. */
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

/** Takes what is known only at the end. */
export interface SpanEnd {
  set(attributes: Attributes): void
  /** @param type a word of a bounded set, as a status or the name of an error */
  fail(type: string): void
}

/** Makes the next span that is started within `start` the one at which a life begins. */
export type Named = <T>(life: Life, start: () => T) => T

const REQUEST = createContextKey('fanfare request')

interface PendingRequest {
  /** Starts its span, where it is not under way yet: in the life that it turns out to be a part of. */
  start(life?: Life, isFirst?: boolean): Span
}

export function createTracing(tracer: Tracer, named: Named, propagator: TextMapPropagator): Tracing {
  /** The beginning of a life as the parent of all that follows, sampled as that is or would be. */
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
      // Of a life that somebody else's trace has led to: it begins here, and the two know of each other.
      const beginning =
        life && isFirst && !isItsOwn
          ? named(life, () => tracer.startSpan(`begin ${name}`, { root: true, attributes, links: linksTo(current) }))
          : undefined
      const parent = !current && beginning ? trace.setSpan(before, beginning) : before
      const isElsewhere = life && current && current.traceId !== life.traceId
      const links = isElsewhere ? linksTo(trace.getSpanContext(beginningOf(life))) : []
      const span = tracer.startSpan(`append ${name}`, { attributes, links }, parent)
      const result = await run(span, parent, work, isUsual)
      // Not when the append fails: nothing has begun then, and a span that is not ended is told to nobody.
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

/** What traces tell of the line that is being logged: nothing where none are made. */
export function traceOfLine(): object {
  const span = trace.getSpanContext(context.active())
  return span ? { traceId: span.traceId, spanId: span.spanId } : {}
}

const SILENT: SpanEnd = { set: () => undefined, fail: () => undefined }

/** Nothing is traced. */
export const NO_TRACING: Tracing = {
  request: () => ({ within: (next) => next(), end: () => undefined }),
  append: (_given, work) => work(SILENT),
  work: (_given, work) => work(SILENT),
  call: (_given, work) => work(SILENT),
}
