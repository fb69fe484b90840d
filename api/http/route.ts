import type * as z from 'zod'
import type { Actor } from '../../domain/core/event.ts'
import type { Permission } from '../../domain/core/scope.ts'
import type { Budgets } from '../../domain/workspace/budgets.ts'
import type { Session } from './session.ts'

/** The caller: an API key, or a signed-in user. */
export interface Caller {
  readonly actor: Actor
  readonly workspaceId: string
  readonly scopes: readonly Permission[]
  /** How long (s) what it publishes can be taken back first, if that is set for the key. */
  readonly undoSeconds?: number | undefined
  /** What the key may use up on each day. */
  readonly budgets?: Budgets
  /** Only for a user. */
  readonly session?: Session
}

/** A validated request as passed to a route's handler. */
export interface RouteRequest<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly requestId: string
  /** Adds a warning to the answer, of which the route has a body. */
  readonly warn: (warning: string) => void
  /**
   * A ULID that names the work, the same for every repeat with one `Idempotency-Key`. Ids of created resources derive from
   * it, so that a repeat after a crash finishes the same work.
   */
  readonly work: string
}

export interface RouteAnswer {
  readonly status: number
  /** Without `requestId`, which is added. Absent for 204. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Never stored for an `Idempotency-Key`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is read, in place of a body: lines of CSV. */
  readonly csv?: AsyncIterable<string>
}

type Schema = z.ZodType | undefined
type Out<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined

/**
 * One endpoint. The HTTP routes, their validation and the OpenAPI document all come from the same table. Paths are relative to
 * `/v1`, those of the dashboard (`api/dashboard/routes.ts`) to `/dashboard/api`, with parameters in braces.
 */
export interface Route<P extends Schema = Schema, Q extends Schema = Schema, B extends Schema = Schema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** What people and models need to know to choose and use it, in full sentences. */
  readonly description?: string
  readonly tag: string
  readonly scope: Permission
  /** Whether `posts:propose` is enough, because nothing is published by it without an approval. */
  readonly proposable?: boolean
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** Status and body (without `requestId`) on success. */
  readonly answer: { readonly status: number; readonly description: string; readonly schema?: z.ZodType }
  /** Whether `Idempotency-Key` is honored (decisions, "Idempotency-Key"). */
  readonly idempotent?: boolean
  /** Its effect on existing data, if it differs from its method's: GET reads, POST adds, the others overwrite. */
  readonly effect?: 'reads' | 'adds' | 'overwrites'
  /** Whether the current state may refuse it (409). */
  readonly mayConflict?: boolean
  /** Whether it reaches external systems: platforms, AI models, or addresses that callers name. */
  readonly reachesOut?: boolean
  /** Whether the answer holds a secret: it is then stored in the vault for repeats. */
  readonly confidential?: boolean
  /** Values for body fields that an agent omits; it has to ask for anything else. */
  readonly agentDefaults?: Readonly<Record<string, string>>
  handle(request: RouteRequest<Out<P>, Out<Q>, Out<B>>): Promise<RouteAnswer>
  /** In place of `handle`, for a request that accepts `text/csv`. */
  handleCsv?(request: RouteRequest<Out<P>, Out<Q>, Out<B>>): Promise<RouteAnswer>
}

/** A route whose request types do not matter. */
export type AnyRoute = Route

/** Type-checks a route's handler against its schemas, then erases the types: the server parses what the handler gets. */
export function route<P extends Schema = undefined, Q extends Schema = undefined, B extends Schema = undefined>(
  definition: Route<P, Q, B>,
): AnyRoute {
  return definition as unknown as AnyRoute
}
