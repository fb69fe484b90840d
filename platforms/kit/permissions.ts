import { CAPABILITIES, type Capability } from '../../domain/account/capability.ts'
import type { Login } from './authorization.ts'
import { loginOf } from './logins.ts'
import { PlatformError, type Credentials, type Permissions, type Platform } from './platform.ts'

type Declared = Pick<Platform, 'logins' | 'conversation' | 'firstComment' | 'analytics'>

/** What an account on this platform can be used for, by this login. */
export function capabilitiesOf(
  { conversation, firstComment, analytics }: Declared,
  login?: Login,
): readonly Capability[] {
  const has: Readonly<Record<Capability, boolean>> = {
    publishing: true,
    comments: conversation !== undefined,
    replies: conversation !== undefined || firstComment !== undefined,
    analytics: analytics !== undefined,
  }
  return (login?.capabilities ?? CAPABILITIES).filter((capability) => has[capability])
}

/** The permissions that each capability needs. @param chosen the account's credential fields */
export function permissionsOf(login: Pick<Login, 'permissions'> | undefined, chosen: Credentials): Permissions {
  return byChoice(login?.permissions, chosen)
}

/** The permissions to ask for, each once. @param chosen as for `permissionsOf` */
export function scopesFor(login: Login, capabilities: readonly Capability[], chosen: Credentials): readonly string[] {
  const asked = [permissionsOf(login, chosen), byChoice(login.optional, chosen)]
  return [...new Set(asked.flatMap((permissions) => capabilities.flatMap((each) => permissions[each] ?? [])))]
}

function byChoice(permissions: Login['permissions'] = {}, chosen: Credentials): Permissions {
  return typeof permissions === 'function' ? permissions(chosen) : permissions
}

/**
 * The permissions that each capability lacks, where the platform reports what it granted. A capability that the owner did not
 * allow is there in any case, and may lack none.
 *
 * @param credentials `scopes`: what the platform granted; `capabilities`: what the owner allowed, absent for all. Both are
 *   separated by spaces. `login`: which of the platform's logins granted it
 */
export function lackingIn(platform: Declared, credentials: Credentials): Permissions {
  const { scopes, capabilities } = credentials
  const login = loginOf(platform, credentials['login'])
  const permissions = permissionsOf(login, credentials)
  const granted = scopes?.split(' ')
  const allowed = capabilities?.split(' ')
  const lacking = capabilitiesOf(platform, login).map((capability) => {
    const needed = permissions[capability] ?? []
    return [capability, granted ? needed.filter((each) => !granted.includes(each)) : []] as const
  })
  return Object.fromEntries(
    lacking.filter(([capability, missing]) => missing.length > 0 || allowed?.includes(capability) === false),
  )
}

/**
 * @param granted undefined if the platform does not list them
 * @throws PlatformError `permanent`, naming the missing scopes
 */
export function mustGrant(name: string, needed: readonly string[], granted: readonly string[] | undefined): void {
  const missing = needed.filter((scope) => granted?.includes(scope) === false)
  if (missing.length === 0) return
  throw new PlatformError(
    'permanent',
    `${name} did not grant ${missing.join(', ')}. Publishing needs it: start again and allow it.`,
  )
}

/** What was granted, as a credential field. */
export function scopesField(granted: readonly string[] | undefined): Credentials {
  return granted ? { scopes: [...new Set(granted)].join(' ') } : {}
}
