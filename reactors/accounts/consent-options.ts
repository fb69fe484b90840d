import type { ConsentOption } from '../../domain/account/account-authorization.ts'
import type { Capability } from '../../domain/account/capability.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import { inDollars } from '../../platforms/kit/costs.ts'
import type { Login } from '../../platforms/kit/authorization.ts'
import { loginOf } from '../../platforms/kit/logins.ts'
import { capabilitiesOf, permissionsOf } from '../../platforms/kit/permissions.ts'
import type { Credentials, Platform } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

/** @throws Refusal naming a capability that accounts on the platform do not have by this login */
export function mustOffer(platform: Platform, login: Login, capabilities: readonly Capability[] = []): void {
  const offered = capabilitiesOf(platform, login)
  const unknown = capabilities.find((each) => !offered.includes(each))
  if (unknown === undefined) return
  const name =
    login.name === undefined ? PLATFORM_NAMES[platform.key] : `${PLATFORM_NAMES[platform.key]}, ${login.name},`
  throw new Refusal('invalid_request', `capabilities: ${name} has no ${unknown}; choose from ${offered.join(', ')}`)
}

/** Publishing, and those of the others that are given. Default: all that the platform has. */
export function withPublishing(
  platform: Platform,
  login: Login,
  capabilities?: readonly Capability[],
): readonly Capability[] {
  return capabilitiesOf(platform, login).filter(
    (each) => each === 'publishing' || (capabilities?.includes(each) ?? true),
  )
}

/** What the owner allowed, as a credential field. None if that is all: then it also covers what the platform gets later. */
export function allowedField(platform: Platform, login: Login, allowed?: readonly Capability[]): Credentials {
  const isAll = !allowed || allowed.length === capabilitiesOf(platform, login).length
  return isAll ? {} : { capabilities: allowed.join(' ') }
}

/** The login that grants, as a credential field. */
export function loginField(login: string | undefined): Credentials {
  return login === undefined ? {} : { login }
}

export function consentOptions(
  { platform: connectorOf, costsOf }: Pick<PlatformAccess, 'platform' | 'costsOf'>,
  account: {
    readonly platform: PlatformKey
    readonly baseUrl?: string | undefined
    readonly login?: string | undefined
  },
  capabilities: readonly Capability[],
  chosen: Credentials,
): readonly ConsentOption[] {
  const permissions = permissionsOf(loginOf(connectorOf(account.platform), account.login), chosen)
  const kinds = Object.values(costsOf(account)?.kinds ?? {})
  return capabilities.map((capability) => ({
    capability,
    permissions: permissions[capability] ?? [],
    costs: kinds
      .filter((kind) => kind.capabilities.includes(capability))
      .map(({ label, microUsd }) => `${label}: ${inDollars(microUsd)} each`),
  }))
}
