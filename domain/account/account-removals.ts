import type { PlatformKey } from '../core/platform.ts'
import type { RemovalState } from './removal.ts'

/** `deauthorize`: the person has removed the app. `delete`: they ask for the deletion of their data. */
export type RemovalKind = 'deauthorize' | 'delete'

/** An HTTP call of a platform, with the body as it came. */
export interface SignedCall {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** What platforms report about people who connected accounts. */
export interface AccountRemovals {
  /** The platforms that have an app here, and what each of them reports. */
  readonly platforms: readonly { readonly key: PlatformKey; readonly kinds: readonly RemovalKind[] }[]
  /**
   * @returns the code of the status page, if the call asks for a deletion
   * @throws Refusal invalid_request when the call is malformed, or not signed by the platform
   */
  received(platform: PlatformKey, kind: RemovalKind, call: SignedCall): Promise<string | undefined>
  /** How far a deletion is. @param code from `received` */
  status(platform: PlatformKey, code: string): Promise<RemovalState>
}
