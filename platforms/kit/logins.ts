import { Refusal } from '../../domain/core/errors.ts'
import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import type { Login } from './authorization.ts'
import type { Platform } from './platform.ts'

export type Logins = Pick<Platform, 'key' | 'logins'>

/** The login that granted credentials; the first where they name none. Undefined if the platform has no logins. */
export function loginOf({ logins }: Pick<Platform, 'logins'>, key: string | undefined): Login | undefined {
  return logins.find((login) => login.key === key) ?? logins[0]
}

/** As `loginOf`. @throws Refusal if the platform has no logins */
export function loginFor(platform: Logins, key: string | undefined): Login {
  const login = loginOf(platform, key)
  if (login) return login
  throw new Refusal(
    'failed_precondition',
    `${platform.key} cannot be connected in the browser. Pass its credentials with --credentials.`,
  )
}

/** @throws Refusal naming the field and what it may be */
export function loginNamed({ key: platform, logins }: Logins, key: string): Login {
  const found = logins.find((login) => login.key === key)
  if (found) return found
  const name = PLATFORM_NAMES[platform]
  const keys = logins.flatMap((login) => login.key ?? [])
  const fix = keys.length === 0 ? `${name} has none to choose from` : `${name} has ${keys.join(' and ')}, not ${key}`
  throw new Refusal('invalid_request', `login: ${fix}`)
}
