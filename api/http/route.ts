import type { z } from 'zod'
import type { Actor } from '../../domain/core/event.ts'
import type { Scope } from '../../domain/core/scope.ts'
import type { Session } from './session.ts'

/** What a caller may do: `dashboard` is for users who are signed in, and no API key has it. */
export type Permission = Scope | 'dashboard'

/** Who calls: the API key that was presented, or the user who is signed in. */
export interface Caller {
  readonly actor: Actor
  readonly workspaceId: string
  readonly scopes: readonly Permission[]
  /** Of a user. */
  readonly session?: Session
}

/** A checked request as a route's handler gets it. */
export interface RouteRequest<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly requestId: string
  /**
   * A ULID that names the work, the same for every repeat under one `Idempotency-Key`. What the work creates is named
   * after it, so that a repeat after a crash finishes the same work.
   */
  readonly work: string
}

export interface RouteAnswer {
  readonly status: number
  /** Without `requestId`, which is added. Absent for 204. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Never part of what an `Idempotency-Key` remembers. */
  readonly headers?: Readonly<Record<string, string>>
}

type Schema = z.ZodType | undefined
type Out<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined

/**
 * One endpoint. The same table makes the HTTP routes, their checks and the OpenAPI document. Paths are relative to `/v1`, those
 * of the dashboard's own (`api/dashboard/routes.ts`) to `/dashboard/api`, parameters in braces.
 */
export interface Route<P extends Schema = Schema, Q extends Schema = Schema, B extends Schema = Schema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** What it takes to choose it rightly and use it well, for people and models: whole sentences. */
  readonly description?: string
  readonly tag: string
  readonly scope: Permission
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** Status and body (without `requestId`) of success. */
  readonly answer: { readonly status: number; readonly description: string; readonly schema?: z.ZodType }
  /** Whether `Idempotency-Key` is honoured (decisions, "Idempotency-Key"). */
  readonly idempotent?: boolean
  /** What it does to what is there, when it is not what its method tells: GET reads, POST adds, the others overwrite. */
  readonly effect?: 'reads' | 'adds' | 'overwrites'
  /** Whether it may be refused for the state that things are in (409). */
  readonly mayConflict?: boolean
  /** Whether others see it or are asked for it: platforms, models, addresses that callers name. */
  readonly reachesOut?: boolean
  /** Whether the answer holds a secret: what is remembered of it for a repeat is then kept in the vault. */
  readonly confidential?: boolean
  /** Fields of the body that agents have to ask for: what they mean when an agent leaves them out. */
  readonly agentDefaults?: Readonly<Record<string, string>>
  handle(request: RouteRequest<Out<P>, Out<Q>, Out<B>>): Promise<RouteAnswer>
}

/** A route whose request types do not matter to its user. */
export type AnyRoute = Route

/** Checks a route's handler against its schemas, then forgets them: the server parses what it hands to the handler. */
export function route<P extends Schema = undefined, Q extends Schema = undefined, B extends Schema = undefined>(
  definition: Route<P, Q, B>,
): AnyRoute {
  return definition as unknown as AnyRoute
}
