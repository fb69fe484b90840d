/** Declares what the benchmarks use of packages that only they install, so that type checking does not need the packages. */

declare module '@event-driven-io/emmett-postgresql' {
  import type { Pool } from 'pg'

  export function getPostgreSQLEventStore(
    connectionString: string,
    options: { readonly connectionOptions: { readonly pool: Pool } },
  ): {
    readonly schema: { migrate(): Promise<unknown> }
    appendToStream(
      stream: string,
      events: readonly { readonly type: string; readonly data: object }[],
      options: { readonly expectedStreamVersion: bigint | 'STREAM_DOES_NOT_EXIST' },
    ): Promise<unknown>
    close(): Promise<void>
  }
}
