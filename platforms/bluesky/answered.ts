import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { recordsSince } from './own-records.ts'

const replySchema = z.object({ reply: z.object({ parent: z.object({ uri: z.string() }) }) })

/**
 * The URIs of everything the account has replied to since then, from any client.
 *
 * @param since ISO 8601
 * @throws PlatformError
 */
export async function answeredSince(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): Promise<ReadonlySet<string>> {
  const answered = new Set<string>()
  for await (const page of recordsSince(account, Date.parse(since), io)) {
    for (const { value } of page) {
      const parent = replySchema.safeParse(value).data?.reply.parent.uri
      if (parent !== undefined) answered.add(parent)
    }
  }
  return answered
}
