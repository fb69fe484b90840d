import type { AccountAuthorization, Settled, TokenOf } from '../../domain/account/account-authorization.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { Reached } from '../../platforms/kit/authorization.ts'
import { loginFor } from '../../platforms/kit/logins.ts'
import { scopesFor } from '../../platforms/kit/permissions.ts'
import { PlatformError } from '../../platforms/kit/platform.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import type { AuthorizationRow, ConnectedAs } from './authorization-store.ts'
import { allowedField, consentOptions, loginField, withPublishing } from './consent-options.ts'
import { agrees, noneReached, notGranted } from './consent-outcome.ts'
import { mustMeet, redirectUri, type AuthorizationDeps } from './begin-authorization.ts'
import { connectWithCredentials, type ConnectDeps } from './connect-account.ts'

const EXCHANGE_TIMEOUT_MS = 25_000
const INTERNAL_ERROR = 'An internal error occurred; see the service log.'

/**
 * Handles the routes under `/connect`. Every token that a browser presents is signed and valid for one purpose; the answer and
 * the choice are each accepted once, and only from a browser that opened the link.
 */
export function accountAuthorization(deps: AuthorizationDeps): AccountAuthorization {
  const { store, seals, clock } = deps

  const idFrom = (purpose: 'ticket' | 'state' | 'choice', sealed: string): string => {
    const id = seals.open(purpose, sealed)
    if (id === undefined) throw stale()
    return id
  }
  const sameBrowser = (id: string, tokenOf: TokenOf): void => {
    if (seals.open('browser', tokenOf(id) ?? '') === id) return
    throw new Refusal(
      'forbidden',
      'This sign-in was started in another browser. To continue in this one, open the link here.',
    )
  }

  const opened = async (platform: PlatformKey, ticket: string): Promise<AuthorizationRow> => {
    const row = await store.find(idFrom('ticket', ticket), clock.now())
    if (row?.step !== 'open' || row.platform !== platform) throw stale()
    return row
  }
  return {
    open: async (platform, ticket) => {
      const row = await opened(platform, ticket)
      const { id, base_url: baseUrl } = row
      const { capabilities, given, login } = await store.secrets(id)
      const connector = deps.access.platform(platform)
      const asked = withPublishing(connector, loginFor(connector, login), capabilities)
      return {
        workspace: await workspaceName(deps, row),
        platform,
        options: consentOptions(deps.access, { platform, baseUrl: baseUrl ?? undefined, login }, asked, given),
        browser: { name: id, token: seals.seal('browser', id) },
      }
    },

    allowed: async (platform, ticket, capabilities, tokenOf) => {
      const row = await opened(platform, ticket)
      const { id } = row
      sameBrowser(id, tokenOf)
      const connector = deps.access.platform(platform)
      const kept = await store.secrets(id)
      const login = loginFor(connector, kept.login)
      const asked = withPublishing(connector, login, kept.capabilities)
      const allowed = withPublishing(connector, login, capabilities).filter((each) => asked.includes(each))
      await store.keep(row, { ...kept, allowed: [...allowed] })
      const request = {
        scopes: scopesFor(login, allowed, kept.given),
        redirectUri: redirectUri(deps.publicUrl, platform),
        state: seals.seal('state', id),
        challenge: seals.proofKey(id).challenge,
        versions: deps.access.versions,
      }
      return login.authorization.consentUrl(kept.app, request, row.base_url ?? undefined)
    },

    answered: async (platform, answer, tokenOf) => {
      const id = idFrom('state', answer.state)
      sameBrowser(id, tokenOf)
      const row = await store.proceed(id, platform, 'open', 'settling', clock.now())
      if (!row) throw stale()
      return ending(deps, row, async () => {
        if (answer.code === undefined) {
          const { login } = await store.secrets(id)
          throw notGranted(platform, loginFor(deps.access.platform(platform), login).authorization, answer)
        }
        return exchanged(deps, row, answer.code)
      })
    },

    chosen: async (platform, ticket, choices, tokenOf) => {
      const id = idFrom('choice', ticket)
      sameBrowser(id, tokenOf)
      const { reached, given, login } = await store.secrets(id).catch(() => {
        throw stale()
      })
      const meant = reached.filter((_, index) => choices.includes(index))
      const several = loginFor(deps.access.platform(platform), login).authorization.reachesSeveral ?? false
      if (meant.length !== new Set(choices).size) {
        throw new Refusal('invalid_request', 'choice: the list has no such account')
      }
      if (meant.length === 0 || (meant.length > 1 && !several)) {
        throw new Refusal('invalid_request', several ? 'choice: choose an account' : 'choice: choose one account')
      }
      const row = await store.proceed(id, platform, 'choosing', 'settling', clock.now())
      if (!row) throw stale()
      const accounts = meant.map(({ label, credentials }) => ({ label, credentials: { ...given, ...credentials } }))
      return ending(deps, row, () => connected(deps, row, accounts))
    },
  }
}

async function exchanged(deps: AuthorizationDeps, row: AuthorizationRow, code: string): Promise<Settled> {
  const { id, platform } = row
  const baseUrl = row.base_url ?? undefined
  const kept = await deps.store.secrets(id)
  const connector = deps.access.platform(platform)
  const login = loginFor(connector, kept.login)
  const flow = login.authorization
  // Check again: the settings may have changed since the authorization began.
  const app = deps.access.apps.current(connector, kept.app)
  mustMeet(deps, app, baseUrl)
  const grant = {
    code,
    redirectUri: redirectUri(deps.publicUrl, platform),
    verifier: deps.seals.proofKey(id).verifier,
  }
  const { granted, reach } = await deps.access.connecting(EXCHANGE_TIMEOUT_MS, async (io) => {
    const tokens = await flow.exchange(app, grant, baseUrl, io)
    const granted = { ...tokens, ...loginField(kept.login), ...allowedField(connector, login, kept.allowed) }
    return { granted, reach: await flow.reach?.(granted, baseUrl, io) }
  })
  if (!reach) return connected(deps, row, [{ label: '', credentials: { ...kept.given, ...granted } }])
  const all = reach.filter(({ problem }) => problem === undefined)
  // Someone who asked for one account need not hear about others.
  const isAsked = (one: Reached) => agrees(one, kept.given)
  const problems = reach.flatMap((one) => (one.problem !== undefined && isAsked(one) ? [one.problem] : []))
  const meant = all.filter(isAsked)
  const [only, ...others] = meant
  if (!only) throw new PlatformError('permanent', problems[0] ?? noneReached(all))
  if (others.length === 0) {
    const { label, credentials } = only
    const settled = await connected(deps, row, [{ label, credentials: { ...kept.given, ...granted, ...credentials } }])
    return settled.outcome === 'connected' ? { ...settled, failures: [...settled.failures, ...problems] } : settled
  }
  const reached = meant.map(({ label, credentials }) => ({ label, credentials: { ...granted, ...credentials } }))
  await deps.store.askToChoose(row, { ...kept, reached })
  const labels = reached.map(({ label }) => label)
  const several = flow.reachesSeveral ?? false
  return { outcome: 'choose', ticket: deps.seals.seal('choice', id), labels, problems, several }
}

/** Connects each account for itself: one that fails does not undo the others. @throws if none could be connected */
async function connected(deps: AuthorizationDeps, row: AuthorizationRow, chosen: readonly Reached[]): Promise<Settled> {
  const { id, workspace_id: workspaceId, platform, actor } = row
  const workspace = await workspaceName(deps, row)
  const { accountId } = await deps.store.secrets(id)
  const accounts: ConnectedAs[] = []
  const failures: string[] = []
  let unexpected: unknown
  let position: bigint | undefined
  for (const [index, { label, credentials }] of chosen.entries()) {
    // A label that was given is that of one account.
    const given = chosen.length === 1 ? (row.label ?? undefined) : undefined
    const baseUrl = row.base_url ?? undefined
    const account = { workspaceId, platform, accountId, label: given, baseUrl, credentials }
    const cause = { commandId: derivedId(id, String(index)), actor, correlationId: id }
    try {
      const connection = await connectWithCredentials(deps, account, cause)
      accounts.push({ id: connection.id, label: connection.label })
      position = connection.position ?? position
    } catch (error) {
      if (chosen.length === 1) throw error
      const isRefusal = error instanceof Refusal
      failures.push(`${label}: ${isRefusal ? error.message : INTERNAL_ERROR}`)
      if (isRefusal) continue
      deps.logger.error({ err: error, authorizationId: id, platform }, 'an account could not be connected')
      unexpected ??= error
    }
  }
  if (accounts.length === 0) throw unexpected ?? new Refusal('failed_precondition', failures.join(' '))
  await deps.store.connected(id, accounts, failures)
  return { outcome: 'connected', accounts, failures, workspace, position, inDashboard: isFromDashboard(row) }
}

/** Stores any failure for clients that poll the outcome elsewhere. */
async function ending(deps: AuthorizationDeps, row: AuthorizationRow, work: () => Promise<Settled>): Promise<Settled> {
  try {
    return await work()
  } catch (error) {
    const known = error instanceof PlatformError || error instanceof Refusal
    const why = known ? error.message : `${INTERNAL_ERROR} Start again.`
    await deps.store.failed(row.id, why)
    if (!known) throw error
    return { outcome: 'failed', why, inDashboard: isFromDashboard(row) }
  }
}

function isFromDashboard({ actor }: AuthorizationRow): boolean {
  return actor.kind === 'user'
}

async function workspaceName({ db }: ConnectDeps, { workspace_id: id }: AuthorizationRow): Promise<string> {
  return (await findWorkspaces(db, id))[0]?.name ?? id
}

function stale(): Refusal {
  return new Refusal('invalid_request', 'This link was already used, has expired or is invalid. Start again.')
}
