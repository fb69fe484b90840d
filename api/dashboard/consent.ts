import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { createApiKey } from '../../commands/create-api-key.ts'
import { handle } from '../../commands/handle.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { SCOPES, type Scope } from '../../domain/core/scope.ts'
import { text } from '../../domain/core/text.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { budgets } from '../../domain/workspace/budgets.ts'
import { PERMISSIONS, scopesOf } from '../../domain/workspace/role.ts'
import { undoSeconds } from '../../domain/workspace/undo.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { apiKeyFormat } from '../../infra/runtime/key-format.ts'
import { callerOf } from '../http/admission.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import type { OAuthRequest, OAuthServer } from '../oauth/server.ts'
import type { DashboardServices } from './services.ts'
import { sessionOf } from './session.ts'

const PATH = '/consent/:id'
const allowBody = z.object({
  workspaceId: text(100),
  scopes: z.array(z.enum(SCOPES)).min(1, { error: 'must name at least one scope' }),
  budgets: budgets.optional(),
  undoSeconds: undoSeconds.optional(),
})
type Allowed = z.output<typeof allowBody>

/**
 * Whether an app may act in a workspace: `GET /consent/:id` says which app asks for what, `POST` allows it, and `DELETE` does not. The request
 * belongs to the browser in which it began, so that nobody decides on one that somebody else sends them. What is allowed is an API key,
 * whose secret nobody knows.
 */
export function consent(
  app: FastifyInstance,
  services: DashboardServices,
  { oauth, limit }: { readonly oauth: OAuthServer; readonly limit: TimeLimit },
): void {
  const { sessions } = services
  const config = { route: { scope: 'dashboard' } } as const
  const found = async (request: FastifyRequest, reply: FastifyReply): Promise<OAuthRequest> => {
    const { id } = request.params as { readonly id: string }
    const asked = await limit.keep(oauth.find(request, reply, id))
    if (asked) return asked
    throw new Refusal('not_found', 'This request has expired, or began in another browser. Connect again from the app.')
  }
  /** Where the user may create keys. */
  const workspacesOf = async (userId: string) =>
    (await sessions.workspacesOf(userId)).flatMap(({ id, name, role }) =>
      PERMISSIONS[role].includes('keys:write') ? [{ id, name, scopes: scopesOf(role) }] : [],
    )

  app.get(PATH, { config }, async (request, reply) => {
    const { client, scopes } = await found(request, reply)
    const { name, host, site = null } = client
    const workspaces = await workspacesOf(sessionOf(callerOf(request)).user.id)
    return { client: { name, host, site }, scopes, workspaces, requestId: request.id }
  })

  app.post(PATH, { config }, async (request, reply) => {
    const allowed = check(allowBody, request.body, 'body')
    const asked = await found(request, reply)
    // The answer to the same decision was lost.
    const to = asked.decided ?? (await limit.keep(allow(request, reply, asked, allowed)))
    return { to, requestId: request.id }
  })

  app.delete(PATH, { config }, async (request, reply) => {
    const { decided } = await found(request, reply)
    return { to: decided ?? (await limit.keep(oauth.deny(request, reply))), requestId: request.id }
  })

  const allow = async (request: FastifyRequest, reply: FastifyReply, asked: OAuthRequest, allowed: Allowed) => {
    const { actor } = callerOf(request)
    const workspace = (await workspacesOf(actor.id)).find(({ id }) => id === allowed.workspaceId)
    if (!workspace) throw new Refusal('forbidden', 'You cannot create API keys in this workspace.')
    const { id: workspaceId } = workspace
    const may = (scope: Scope) => asked.scopes.includes(scope) && workspace.scopes.includes(scope)
    const beyond = allowed.scopes.filter((scope) => !may(scope))
    if (beyond.length > 0) {
      throw new Refusal('insufficient_scope', `The app did not ask for ${beyond.join(', ')}, or you lack it.`)
    }
    const { budgets, undoSeconds, scopes } = allowed
    const { id: clientId, host, name: label } = asked.client
    // A repeat after a crash makes the same key; one with other choices makes another, and the first ends unused.
    const id = resourceId('key', derivedUlid('oauth', asked.id, JSON.stringify(allowed)))
    const { secretHash } = apiKeyFormat.generate(id)
    const created = { workspaceId, label, scopes, secretHash, client: { id: clientId, host } }
    const cause = { commandId: derivedId('consent', id), correlationId: id, requestId: request.id, actor }
    await services.ceilings.adding('keys', { workspaceId, id }, async () => {
      const { position } = await handle(services, apiKey, id, cause, (state) =>
        createApiKey(state, created, { budgets, undoSeconds }),
      )
      if (position !== undefined) await services.seen.waitFor(position)
    })
    return oauth.allow(request, reply, id, scopes)
  }
}
