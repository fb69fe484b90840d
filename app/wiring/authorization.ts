import { serviceUrl } from '../../infra/runtime/settings.ts'
import { authorizationSeals } from '../../reactors/accounts/authorization-seals.ts'
import { authorizationStore } from '../../reactors/accounts/authorization-store.ts'
import type { AuthorizationDeps } from '../../reactors/accounts/account-authorization.ts'
import type { Core } from './core.ts'

/** @param secret the derivation secret */
export function authorizationDeps(core: Core, secret: Buffer): AuthorizationDeps {
  return {
    ...core,
    store: authorizationStore(core.db, core.vault),
    seals: authorizationSeals(secret),
    publicUrl: serviceUrl(core.settings),
  }
}
