import type { ConsentOption } from '../../domain/account/account-authorization.ts'
import type { Capability } from '../../domain/account/capability.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import { inDollars } from '../../platforms/kit/costs.ts'
import { capabilitiesOf, permissionsOf } from '../../platforms/kit/permissions.ts'
import type { Credentials, Platform } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

/** @throws Refusal naming a capability that accounts on the platform do not have */
export function mustOffer(platform: Platform, capabilities: readonly Capability[] = []): void {
  const offered = capabilitiesOf(platform)
  const unknown = capabilities.find((each) => !offered.includes(each))
  if (unknown === undefined) return
  const name = PLATFORM_NAMES[platform.key]
  throw new Refusal('invalid_request', `capabilities: ${name} has no ${unknown}; choose from ${offered.join(', ')}`)
}

/** Publishing, and those of the others that are given. Default: all that the platform has. */
export function withPublishing(platform: Platform, capabilities?: readonly Capability[]): readonly Capability[] {
  return capabilitiesOf(platform).filter((each) => each === 'publishing' || (capabilities?.includes(each) ?? true))
}

/** What the owner allowed, as a credential field. None if that is all: then it also covers what the platform gets later. */
export function allowedField(platform: Platform, allowed?: readonly Capability[]): Credentials {
  const isAll = !allowed || allowed.length === capabilitiesOf(platform).length
  return isAll ? {} : { capabilities: allowed.join(' ') }
}

export function consentOptions(
  { platform: connectorOf, costsOf }: Pick<PlatformAccess, 'platform' | 'costsOf'>,
  account: { readonly platform: PlatformKey; readonly baseUrl?: string | undefined },
  capabilities: readonly Capability[],
  chosen: Credentials,
): readonly ConsentOption[] {
  const permissions = permissionsOf(connectorOf(account.platform), chosen)
  const kinds = Object.values(costsOf(account)?.kinds ?? {})
  return capabilities.map((capability) => ({
    capability,
    permissions: permissions[capability] ?? [],
    costs: kinds
      .filter((kind) => kind.capabilities.includes(capability))
      .map(({ label, microUsd }) => `${label}: ${inDollars(microUsd)} each`),
  }))
}
