import * as z from 'zod'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { serviceUrl } from '../../infra/runtime/settings.ts'
import { authorizationSeals } from '../../reactors/accounts/authorization-seals.ts'
import { authorizationStore } from '../../reactors/accounts/authorization-store.ts'
import type { AuthorizationDeps } from '../../reactors/accounts/begin-authorization.ts'
import type { Core } from './core.ts'
import { sandboxUrlOf } from './platform-settings.ts'

const sandboxApp = z.object({ clientId: z.string(), clientSecret: z.string() })

/** @param secret the derivation secret */
export function authorizationDeps(core: Core, secret: Buffer): AuthorizationDeps {
  return {
    ...core,
    store: authorizationStore(core.db, core.vault),
    seals: authorizationSeals(secret),
    sandbox: sandboxConsent(sandboxUrlOf(core.settings), core.http),
    publicUrl: serviceUrl(core.settings),
  }
}

/** The sandbox registers an app on request. */
export function sandboxConsent(url: string | undefined, http: Core['http']): AuthorizationDeps['sandbox'] {
  if (url === undefined) return undefined
  return {
    url,
    newApp: async (app, platform, redirectUri) => {
      // LinkedIn has a second one of its own kind, others share that of another platform.
      const of = PLATFORM_KEYS.find((key) => key === app) ?? platform
      const response = await http.request(`${url}/_control/apps`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ platform: of, redirectUri }),
      })
      if (response.status >= 300) throw new Error(`the sandbox registered no app on ${of}: ${response.text()}`)
      return sandboxApp.parse(response.json())
    },
  }
}
