import type { PlatformKey } from '../../domain/core/platform.ts'

/** One of Google's services, as the accounts that are let in to it are known. */
export interface GoogleService {
  readonly platform: PlatformKey
  /** Asked for at consent. The first is what publishing needs; owners may refuse the others. */
  readonly scopes: readonly [string, ...string[]]
  /** Further scopes that cover what the first one does. */
  readonly sameAsFirst: readonly string[]
  /** Whether a call was refused, without effect, because the access token has ended. */
  isExpired(error: unknown): boolean
}

/** The full name of a scope. */
export function scope<Name extends string>(name: Name): `https://www.googleapis.com/auth/${Name}` {
  return `https://www.googleapis.com/auth/${name}`
}

/** Whether scopes, as the token endpoint lists them, are enough to publish. Told nothing, it is taken for so. */
export function covers(granted: string | undefined, { scopes: [first], sameAsFirst }: GoogleService): boolean {
  return granted === undefined || granted.split(' ').some((each) => each === first || sameAsFirst.includes(each))
}
