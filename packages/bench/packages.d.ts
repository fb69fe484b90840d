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

declare module 'graphile-worker' {
  export class Logger {
    constructor(factory: () => () => void)
  }
  export function run(options: {
    readonly connectionString: string
    readonly concurrency: number
    readonly maxPoolSize: number
    readonly noHandleSignals: boolean
    readonly logger: Logger
    readonly taskList: Readonly<Record<string, (payload: unknown) => Promise<void>>>
  }): Promise<unknown>
}

declare module 'pg-boss' {
  export default class PgBoss {
    constructor(options: { readonly connectionString: string; readonly max: number })
    start(): Promise<unknown>
    createQueue(name: string): Promise<void>
    work<Data>(
      name: string,
      options: { readonly batchSize: number; readonly pollingIntervalSeconds: number },
      handler: (jobs: readonly { readonly data: Data }[]) => Promise<void>,
    ): Promise<string>
    insert(jobs: readonly { readonly name: string; readonly data: object }[]): Promise<void>
  }
}
