import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { userCounts } from './analytics-counts.ts'
import { callAs, idSchema } from './call.ts'
import { is } from './errors.ts'

const user = z.object({
  id: idSchema,
  name: z.string().catch(''),
  username: z.string().min(1),
  public_metrics: userCounts.catch({}),
})
export type CountedUser = Readonly<z.infer<typeof user>>

/** For a missing user, including deleted and suspended ones, X answers 200 with an error in the body. */
const notThere = z.object({ errors: z.array(z.object({ type: z.string().regex(/\/resource-not-found$/) })).min(1) })
const lookedUp = z.union([
  z.object({ data: user }).transform(({ data }): CountedUser | undefined => data),
  notThere.transform(() => undefined),
])

/**
 * A user with its counts.
 *
 * @param which `me`, an id, or `by/username/` and a name
 * @returns undefined if there is no such user
 * @throws PlatformError
 */
export async function lookUp(
  which: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<CountedUser | undefined> {
  const call = { method: 'GET', path: `/2/users/${which}?user.fields=public_metrics` } as const
  try {
    return await callAs(account, call, lookedUp, io)
  } catch (error) {
    if (is(error, 'missing')) return undefined
    throw error
  }
}
