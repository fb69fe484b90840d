import { guardedHttp } from '../../infra/http/guarded-http.ts'
import { portOf } from '../../infra/http/outbound-address.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import { identityProvider } from '../../infra/oidc/identity-provider.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Settings } from '../../infra/runtime/settings.ts'
import type { SingleSignOn } from '../../api/dashboard/services.ts'
import { groupRolesOf } from './group-roles.ts'
import { USER_AGENT } from './media.ts'

/** The issuer is the operator's choice and may be private; its other addresses are subject to OUTBOUND_ALLOW. */
export function singleSignOnOf(settings: Settings, clock: Clock): SingleSignOn | undefined {
  const { oidc, OUTBOUND_ALLOW } = settings
  if (!oidc) return undefined
  const url = new URL(oidc.issuer)
  const policy = outboundPolicy(OUTBOUND_ALLOW, [{ host: url.hostname, port: portOf(url) }])
  const http = guardedHttp({ policy, clock, userAgent: USER_AGENT })
  return {
    provider: identityProvider(oidc, { http, clock }),
    ...{ name: oidc.name, workspace: oidc.workspace, roles: groupRolesOf(settings) },
    close: () => http.close(),
  }
}
