import type { PlatformKey } from '../../domain/core/platform.ts'

/** A Google service to which accounts grant access. */
export interface GoogleService {
  readonly platform: PlatformKey
  /** Requested at consent. The first is what publishing needs; owners may refuse the others. */
  readonly scopes: readonly [string, ...string[]]
  /** Other scopes that include the first one. */
  readonly sameAsFirst: readonly string[]
  /** Whether a call was refused, without effect, because the access token has expired. */
  isExpired(error: unknown): boolean
}

/** The full name of a scope. */
export function scope<Name extends string>(name: Name): `https://www.googleapis.com/auth/${Name}` {
  return `https://www.googleapis.com/auth/${name}`
}

/** Whether the scopes listed by the token endpoint suffice to publish. Assumed so if it lists none. */
export function covers(granted: string | undefined, { scopes: [first], sameAsFirst }: GoogleService): boolean {
  return granted === undefined || granted.split(' ').some((each) => each === first || sameAsFirst.includes(each))
}
