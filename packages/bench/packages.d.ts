/** The parts that are used here of packages that only the benchmark installs: the type check must not need them. */

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
