import { stderr } from 'node:process'
import { inspect } from 'node:util'
import type { Test } from 'tap'

/** One call of a client that was written elsewhere, against a stand-in. */
export interface ClientCall {
  /** The client's package. */
  readonly client: string
  readonly call: string
  /** Why the stand-in does not have it; it must then refuse the call as the platform would. */
  readonly outOfScope?: string
  run(): Promise<unknown>
}

/** Describes the calls of one client. */
export function callsBy(client: string) {
  return (call: string, run: () => Promise<unknown>, outOfScope?: string): ClientCall => ({
    client,
    call,
    run,
    ...(outOfScope !== undefined && { outOfScope }),
  })
}

/** @throws when an answer has something else */
export function same(actual: unknown, expected: unknown): void {
  const [has, wanted] = [actual, expected].map((value) => JSON.stringify(value))
  if (has !== wanted) throw new Error(`the answer has ${has}, not ${wanted}`)
}

/**
 * Makes the calls one after another, each as an assertion, and prints how many of each client's were taken.
 *
 * @param isPlatforms whether an error that a client threw is a refusal in the platform's own format
 */
export async function runClients(
  t: Test,
  calls: readonly ClientCall[],
  isPlatforms: (error: unknown) => boolean,
): Promise<void> {
  const counts = new Map<string, { taken: number; made: number }>()
  for (const { client, call, outOfScope, run } of calls) {
    const count = counts.get(client) ?? { taken: 0, made: 0 }
    counts.set(client, count)
    count.made += 1
    const name = `${client}: ${call}`
    const error = await run().then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error('rejected with nothing'),
    )
    if (error === undefined) count.taken += 1
    if (outOfScope !== undefined) t.ok(isPlatforms(error), `${name} is refused: ${outOfScope}`, diagnosis(error))
    else t.equal(error, undefined, `${name} is taken`, diagnosis(error))
  }
  const all = [...counts.values()].reduce(
    (sum, { taken, made }) => ({ taken: sum.taken + taken, made: sum.made + made }),
    { taken: 0, made: 0 },
  )
  for (const [client, { taken, made }] of [...counts, ['all clients', all] as const]) {
    stderr.write(`${client}: ${taken} of ${made} calls taken\n`)
  }
}

function diagnosis(error: unknown): { readonly thrown?: string } {
  return error === undefined ? {} : { thrown: inspect(error, { depth: 4 }).slice(0, 2_000) }
}
