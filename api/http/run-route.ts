import { Refusal } from '../../domain/core/errors.ts'
import type { Ids } from '../../infra/runtime/ids.ts'
import type { Idempotency } from './idempotency.ts'
import type { AnyRoute, Caller, RouteAnswer } from './route.ts'
import { inlined, jsonSchemaOf, type JsonSchema } from './json-schema.ts'
import type { Turns } from './turns.ts'
import { unknownFields } from './unknown-fields.ts'
import { check } from './validation.ts'

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

/** What an authenticated caller sends to a route, over HTTP or MCP. Not validated yet. */
export interface RouteCall {
  readonly caller: Caller
  readonly requestId: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly idempotencyKey: unknown
}

export type RunRoute = (route: AnyRoute, call: RouteCall) => Promise<RouteAnswer & { readonly replayed: boolean }>

/** Validates a call against its route, then runs the handler: once per `Idempotency-Key`, if it has one. */
export function routeRunner(idempotency: Idempotency, ids: Ids, turns: Turns): RunRoute {
  return async (route, { caller, requestId, params, query, body, idempotencyKey }) => {
    const key = route.idempotent ? checkedKey(idempotencyKey) : undefined
    const checked = {
      params: (route.params && check(route.params, params, 'path')) as undefined,
      query: (route.query && check(route.query, query, 'query')) as undefined,
      body: (route.body && check(route.body, body, 'body')) as undefined,
      caller,
      requestId,
    }
    // Not around the whole call: a repeat that waits for the first would have the turn that the first needs.
    const handled = async (work: string) => {
      const warnings = [...warningsFor(route, body)]
      const warn = (warning: string) => void warnings.push(warning)
      const answer = await turns.run(caller.workspaceId, () => route.handle({ ...checked, work, warn }))
      return warned(answer, warnings)
    }
    if (key === undefined) return { ...(await handled(ids.ulid())), replayed: false }
    // The same endpoint for two resources is two calls, so the path parameters are part of the key's scope.
    const scope = {
      // A user's id derives from the name, which may later belong to a user of another workspace.
      callerId: caller.session ? `${caller.actor.id} ${caller.workspaceId}` : caller.actor.id,
      route: `${route.method} ${route.path} ${JSON.stringify(checked.params ?? {})}`,
      key,
      confidential: route.confidential ?? false,
      workspaceId: caller.workspaceId,
    }
    return idempotency.once(scope, handled)
  }
}

/** Made when first needed: all of them would take as long as the rest of the start. */
const bodies = new WeakMap<AnyRoute, JsonSchema>()

function warningsFor(route: AnyRoute, body: unknown): readonly string[] {
  if (!route.body) return []
  const schema = bodies.get(route) ?? inlined(jsonSchemaOf(route.body, 'input'))
  bodies.set(route, schema)
  return unknownFields(schema, body)
}

function warned(answer: RouteAnswer, warnings: readonly string[]): RouteAnswer {
  return answer.body && warnings.length > 0 ? { ...answer, body: { ...answer.body, warnings } } : answer
}

function checkedKey(key: unknown): string | undefined {
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key
  throw new Refusal('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters')
}
