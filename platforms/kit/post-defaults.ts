import type * as z from 'zod'
import type { Destination } from '../../domain/account/destination.ts'
import type { Credentials, PlatformAccount, PlatformIo } from './platform.ts'

/** What an account sets for posts that do not set it. */
export interface PostDefaults {
  readonly schema: z.ZodObject
  /** The first defaults of an account, from its credentials. */
  from(credentials: Credentials): Readonly<Record<string, unknown>>
  /**
   * Where posts of the account can go.
   *
   * @throws PlatformError
   */
  destinations(account: PlatformAccount, io: PlatformIo): Promise<readonly Omit<Destination, 'isDefault'>[]>
}
