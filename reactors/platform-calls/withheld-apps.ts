import type { Vault } from '../../infra/postgres/vault.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { PlatformAccess } from './platform-access.ts'

export interface WithheldApp {
  readonly accountId: string
  readonly baseUrl: string
  readonly why: string
}

/** Connected accounts whose credentials hold an app of the operator, and would expose it to an untrusted host. */
export async function withheldApps(deps: {
  readonly db: Database
  readonly vault: Vault
  readonly access: Pick<PlatformAccess, 'apps'>
}): Promise<readonly WithheldApp[]> {
  const { db, vault, access } = deps
  const { rows } = await db.query<{ id: string; base_url: string }>(
    'select id, base_url from read.accounts where connected and base_url is not null order by id',
  )
  const found: WithheldApp[] = []
  for (const { id: accountId, base_url: baseUrl } of rows) {
    // Credentials that cannot be decrypted are sent nowhere.
    const stored = await vault.find(accountId).catch(() => undefined)
    const why = stored && access.apps.whyWithheld(baseUrl, stored)
    if (why !== undefined) found.push({ accountId, baseUrl, why })
  }
  return found
}
