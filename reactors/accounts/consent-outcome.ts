import type { ConsentAnswer } from '../../domain/account/account-authorization.ts'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { AuthorizationCode, Reached } from '../../platforms/kit/authorization.ts'
import { PlatformError, type Credentials } from '../../platforms/kit/platform.ts'
import { quoted } from '../../platforms/kit/rest.ts'

/** Whether the account matches the credentials supplied up front. */
export function agrees({ credentials }: Reached, given: Credentials): boolean {
  return Object.entries(given).every(([name, value]) => (credentials[name] ?? value) === value)
}

export function noneReached(all: readonly Reached[]): string {
  if (all.length === 0) return 'This login has no account that can be connected.'
  const labels = all.slice(0, 10).map(({ label }) => label)
  return `This login has no access to the requested account. It has access to: ${labels.join(', ')}.`
}

/** Why the platform returned the browser without a code. */
export function notGranted(
  platform: PlatformKey,
  { readDescription = (text) => text }: AuthorizationCode,
  { error = 'no code', error_description: description = '' }: ConsentAnswer,
): PlatformError {
  const said = quoted(`${error} ${readDescription(description)}`)
  return new PlatformError('permanent', `${PLATFORM_NAMES[platform]} did not grant access: ${said}.`)
}
