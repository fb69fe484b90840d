import * as z from 'zod'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { userIdOf } from '../../domain/workspace/user.ts'
import type { Core } from '../wiring/core.ts'
import { connectedAccounts } from '../../projections/models/accounts.ts'
import { listApiKeys } from '../../projections/models/api-keys.ts'
import { findUser, listUsers } from '../../projections/models/users.ts'
import { findWorkspaces, workspacesBegunAs } from '../../projections/models/workspaces.ts'
import { connect } from './accounts.ts'
import { grantOnce } from './credits.ts'
import { addDemoHistory } from './demo-history.ts'
import { addKey } from './keys.ts'
import { addUser } from './users.ts'
import { addWorkspace } from './workspaces.ts'

export const DEMO_WORKSPACE = 'demo'
/** The first user of the dashboard. */
export const DEMO_USER = 'admin'
const DEMO_CREDITS = 100

const sandboxAccount = z.object({
  externalId: z.string(),
  label: z.string(),
  credentials: z.record(z.string(), z.string()),
  baseUrl: z.string(),
})

export interface Demo {
  readonly accounts: Readonly<Partial<Record<PlatformKey, string>>>
  /** The raw demo key, on the first start only: it is not stored. */
  readonly key: string | undefined
  /** The password of the user `admin`, on the first start only. */
  readonly password: string | undefined
}

/**
 * Sets up the demo workspace: a sandbox account on each platform, credits, posts of the last 60 days, a dashboard user, and a key.
 * Completes what an earlier start left undone; whatever exists stays as it is. A workspace that is being erased gets nothing.
 */
export async function setUpDemo(core: Core, sandboxUrl: string, withHistory: boolean): Promise<Demo> {
  const named = await findWorkspaces(core.db, DEMO_WORKSPACE)
  // It may have been renamed.
  const [known] = [...(await workspacesBegunAs(core.db, DEMO_WORKSPACE)), ...named]
  if (known && known.closedAt !== null) return { accounts: {}, key: undefined, password: undefined }
  const workspaceId = known?.id ?? (await addWorkspace(core, DEMO_WORKSPACE)).id
  const accounts: Partial<Record<PlatformKey, string>> = {}
  for (const { platform, id } of await connectedAccounts(core.db, workspaceId)) accounts[platform] ??= id
  for (const platform of PLATFORM_KEYS) {
    if (accounts[platform] !== undefined) continue
    const given = await issueAccount(core, sandboxUrl, platform)
    accounts[platform] = (await connect(core, { platform, workspace: workspaceId, ...given })).id
  }
  await grantOnce(core, { workspaceId, amount: DEMO_CREDITS, reason: 'for trying out videos' })
  const isFirst = (await listApiKeys(core.db, workspaceId)).length === 0
  if (isFirst && withHistory) await addDemoHistory(core, { workspaceId, accounts, sandboxUrl })
  const password = await firstPassword(core, workspaceId)
  if (!isFirst) return { accounts, key: undefined, password }
  const { key } = await addKey(core, { workspace: workspaceId, scopes: 'all', label: 'demo' })
  return { accounts, key, password }
}

/** The password of the first user, created if the workspace has none and the name is free. */
async function firstPassword(core: Core, workspace: string): Promise<string | undefined> {
  if ((await listUsers(core.db, workspace)).length > 0) return undefined
  if (await findUser(core.db, userIdOf(DEMO_USER))) return undefined
  return (await addUser(core, { workspace, name: DEMO_USER })).password
}

async function issueAccount({ http }: Core, sandboxUrl: string, platform: PlatformKey) {
  const response = await http.request(`${sandboxUrl}/_control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, externalId: undefined, label: `Demo ${platform}` }),
  })
  if (response.status >= 300) throw new Error(`the sandbox returned no account on ${platform}: ${response.text()}`)
  const { label, credentials, baseUrl } = sandboxAccount.parse(response.json())
  return { label, credentials, baseUrl }
}
