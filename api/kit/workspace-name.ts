import { Refusal } from '../../domain/core/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'

/**
 * @param joins where people join by a group of OpenID Connect: an id or a name
 * @throws Refusal failed_precondition if another workspace has the name, or people would no longer join this one
 */
export async function mustGetName(
  db: Database,
  { id, name: now }: { readonly id: string; readonly name: string },
  name: string,
  joins: string | undefined,
): Promise<void> {
  if (name === now) return
  if ((await findWorkspaces(db, name)).some((other) => other.id !== id)) {
    throw new Refusal('failed_precondition', 'name is that of another workspace here. Choose another one.')
  }
  if (joins === now) {
    const message = `OIDC_WORKSPACE refers to this workspace by its name. Set it to ${id}, restart the service, then rename it.`
    throw new Refusal('failed_precondition', message)
  }
}
