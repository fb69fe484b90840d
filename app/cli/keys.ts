import { apiKeyFormat } from '../../infra/runtime/key-format.ts'
import { setKeyUndo } from '../../commands/set-undo.ts'
import { apiKey, type ApiKeyState } from '../../domain/workspace/api-key.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { isScope, SCOPES, type Scope } from '../../domain/core/scope.ts'
import { isUserRole, USER_ROLES, scopesOf } from '../../domain/workspace/role.ts'
import { check } from '../../api/http/validation.ts'
import { BUDGETS, budgets, type Budgets } from '../../domain/workspace/budgets.ts'
import { setBudgets } from '../../commands/set-budgets.ts'
import { createApiKey, type KeyLimits } from '../../commands/create-api-key.ts'
import { handle } from '../../commands/handle.ts'
import { revokeApiKey } from '../../commands/revoke-api-key.ts'
import type { Core } from '../wiring/core.ts'
import { listApiKeys } from '../../projections/models/api-keys.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { commandLineCause } from './cause.ts'
import { secondsOf } from './seconds.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

/** `key` is the raw key: it is shown once and never again. */
export interface CreatedKey {
  readonly id: string
  readonly key: string
  readonly scopes: readonly Scope[]
}

export async function addKey(
  core: Core,
  options: KeyOptions & { readonly workspace: string; readonly scopes: string; readonly label?: string | undefined },
): Promise<CreatedKey> {
  const limits = limitsOf(options)
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const scopes = parseScopes(options.scopes)
  const id = resourceId('key', core.ids.ulid())
  const { raw, secretHash } = apiKeyFormat.generate(id)
  const command = { workspaceId, label: options.label ?? '', scopes: [...scopes], secretHash }
  const cause = commandLineCause(core.ids)
  await core.ceilings.adding('keys', { workspaceId, id }, async () =>
    settled(core, await handle(core, apiKey, id, cause, (state) => createApiKey(state, command, limits))),
  )
  return { id, key: raw, scopes }
}

/** What a key is held to. */
export interface KeyOptions {
  /** In seconds; `workspace`: as in the workspace. */
  readonly undo?: string
  /** Such as `posts=20`; `none`: no limits. */
  readonly budget?: readonly string[]
}

/** @throws Refusal invalid_request naming the option */
function limitsOf({ undo, budget }: KeyOptions): KeyLimits {
  return {
    ...(undo !== undefined && undo !== 'workspace' && { undoSeconds: secondsOf(undo, '--undo') }),
    ...(budget && { budgets: budgetsOf(budget) }),
  }
}

function budgetsOf(given: readonly string[]): Budgets {
  if (given.length === 1 && given[0] === 'none') return {}
  const pairs = given.map((pair) => {
    const [name = '', amount = ''] = pair.split('=', 2)
    if ((BUDGETS as readonly string[]).includes(name) && amount !== '') return [name, Number(amount)]
    throw new Refusal('invalid_request', `--budget must be none, or such as posts=20; there are ${BUDGETS.join(', ')}`)
  })
  return check(budgets, Object.fromEntries(pairs), '--budget')
}

/** Changes what a key is held to. @throws Refusal not_found */
export async function limitKey(core: Core, id: string, options: KeyOptions) {
  const { undoSeconds, budgets } = limitsOf(options)
  const set = (state: ApiKeyState) => [
    ...(options.undo === undefined ? [] : setKeyUndo(state, undoSeconds)),
    ...(budgets === undefined ? [] : setBudgets(state, budgets)),
  ]
  const handled = await handle(core, apiKey, id, commandLineCause(core.ids), set)
  await settled(core, handled)
  const { state } = handled
  if (state.status === 'absent') throw new Refusal('not_found', 'No such API key.')
  return { id, undoSeconds: state.undoSeconds ?? null, budgets: state.budgets }
}

/** Parses `all`, a role, or names separated by commas. @throws Refusal invalid_request naming the invalid one */
export function parseScopes(text: string): readonly Scope[] {
  if (text === 'all') return SCOPES
  if (isUserRole(text)) return scopesOf(text)
  const names = [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ]
  const wrong = names.find((name) => !isScope(name))
  if (wrong !== undefined || names.length === 0) {
    const roles = USER_ROLES.join(', ')
    throw new Refusal(
      'invalid_request',
      `--scopes: ${wrong ?? 'nothing'} is not a scope; use all, a role (${roles}), or one or more of ${SCOPES.join(',')}`,
    )
  }
  return names.filter(isScope)
}

export async function keysOf(core: Core, workspace: string) {
  const { id } = await oneWorkspace(core, workspace)
  return (await listApiKeys(core.db, id)).map(({ id, label, scopes, undoSeconds, budgets, revoked, createdAt }) => ({
    ...{ id, label, scopes, undoSeconds, budgets, revoked, createdAt },
  }))
}

export async function revokeKey(core: Core, id: string): Promise<{ id: string; revoked: true }> {
  await settled(core, await handle(core, apiKey, id, commandLineCause(core.ids), revokeApiKey))
  return { id, revoked: true }
}
