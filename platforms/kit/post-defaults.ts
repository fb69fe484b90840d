import type * as z from 'zod'
import type { Credentials, PlatformAccount, PlatformIo } from './platform.ts'

/** A place in an account that posts can go to, such as a board. `options` are what a post sets to go there. */
export interface Destination {
  readonly label: string
  readonly options: Readonly<Record<string, unknown>>
}

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
  destinations(account: PlatformAccount, io: PlatformIo): Promise<readonly Destination[]>
}
