import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import { onlyProposes, type Permission } from '../../domain/core/scope.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Authenticate } from './authenticate.ts'
import { addressBlock } from './client-address.ts'
import { allowanceHeaders, type Allowance, type RateLimiter } from './rate-limit.ts'
import type { Caller } from './route.ts'
import type { WorkspaceLimit } from './workspace-limit.ts'

export interface Admission {
  /** The allowance to show when a request was not counted: the caller is unknown, or counting failed. */
  uncounted(): Allowance
  /**
   * Counts the request against the API key or the user, when one is needed and the key or session is valid; otherwise
   * against the address.
   *
   * @param needs a route, or `{}` for any valid key; undefined when the request matches no route
   * @throws Refusal for the key, the rate limit or the scope, whichever fails first
   */
  admit(request: FastifyRequest, reply: FastifyReply, needs?: Needs): Promise<Caller | undefined>
  /**
   * Like `admit` for any valid key, but returns the refusal of a caller that has used up its allowance, so that it can be told in
   * another form.
   */
  admitOrTell(request: FastifyRequest, reply: FastifyReply): Promise<Admitted>
}

export interface Admitted {
  readonly caller: Caller | undefined
  readonly overLimit?: Refusal | undefined
}

/** What a key must have. */
export interface Needs {
  readonly scope?: Permission
  readonly proposable?: boolean
}

/** Whether these scopes are enough. */
export function isAllowed(scopes: readonly Permission[], { scope, proposable = false }: Needs): boolean {
  return scope === undefined || scopes.includes(scope) || (proposable && onlyProposes(scopes))
}

/** @throws Refusal insufficient_scope */
export function mustBeAllowed(caller: Caller | undefined, needs: Needs): void {
  if (caller && isAllowed(caller.scopes, needs)) return
  const { session } = caller ?? {}
  throw new Refusal(
    'insufficient_scope',
    session
      ? `Your role, ${session.user.role}, does not allow this: it lacks ${needs.scope}. Ask an owner of the workspace.`
      : `This API key lacks the scope ${needs.scope}.`,
  )
}

/** The caller of an admitted request. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('a request without a caller was let through')
  return caller
}

export function createAdmission(deps: {
  readonly authenticate: Authenticate
  readonly limiter: RateLimiter
  readonly workspaceLimit: WorkspaceLimit
  /** For signed-in users. */
  readonly userLimiter: RateLimiter
  readonly limits: { readonly perMinute: number }
  readonly clock: Clock
}): Admission {
  const { authenticate, limiter, workspaceLimit, userLimiter, limits, clock } = deps

  const count = async (caller: Caller | undefined, address: string, reply: FastifyReply): Promise<void> => {
    const counting = caller?.session ? userLimiter : limiter
    mustBeAdmitted(await counting.admit(caller?.actor.id ?? address), reply, clock)
    if (!caller || caller.session) return
    const shared = await workspaceLimit.admit(caller.workspaceId)
    if (shared && !shared.admitted) mustBeAdmitted(shared, reply, clock)
  }

  const admitOrTell = async (request: FastifyRequest, reply: FastifyReply, needs?: Needs): Promise<Admitted> => {
    // A socket that closes in the meantime no longer has an address.
    const address = `address:${addressBlock(String(request.ip))}`
    let caller: Caller | undefined
    let wrongKey: unknown
    try {
      if (needs) caller = await authenticate(request)
    } catch (error) {
      wrongKey = error
    }
    // Proxies do not share answers to an Authorization header, but may share those to a cookie.
    if (caller?.session) reply.header('Cache-Control', 'no-store')
    try {
      await count(caller, address, reply)
    } catch (error) {
      if (caller && error instanceof Refusal) return { caller, overLimit: error }
      throw error
    }
    if (wrongKey !== undefined) throw wrongKey
    return { caller }
  }

  return {
    uncounted: () => ({
      admitted: true,
      limit: limits.perMinute,
      remaining: limits.perMinute,
      resetAt: (Math.floor(clock.now() / 60_000) + 1) * 60,
    }),
    admit: async (request, reply, needs) => {
      const { caller, overLimit } = await admitOrTell(request, reply, needs)
      if (overLimit) throw overLimit
      if (needs?.scope) mustBeAllowed(caller, needs)
      return caller
    },
    admitOrTell: (request, reply) => admitOrTell(request, reply, {}),
  }
}

/** Sets the allowance headers. @throws Refusal rate_limit_exceeded */
export function mustBeAdmitted(allowance: Allowance, reply: FastifyReply, clock: Clock): void {
  reply.headers(allowanceHeaders(allowance))
  mustHaveAllowance(allowance, clock)
}

/** @throws Refusal rate_limit_exceeded */
export function mustHaveAllowance({ admitted, resetAt }: Allowance, clock: Clock): void {
  if (admitted) return
  const retryAfterS = Math.max(1, resetAt - Math.floor(clock.now() / 1000))
  throw new Refusal('rate_limit_exceeded', `Too many requests. Try again in ${retryAfterS} s.`, { retryAfterS })
}
