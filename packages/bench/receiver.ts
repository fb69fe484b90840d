import * as z from 'zod'
import { startChild } from './child.ts'

const receivedSchema = z.object({
  /** When its headers arrived, ms since the epoch. */
  at: z.number(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
export type Received = z.infer<typeof receivedSchema>

/** The server that receives all deliveries, in a separate process. */
export interface Receiver {
  readonly url: string
  /**
   * Waits for this many messages and returns everything received since the last call.
   *
   * @throws Error when there are fewer after three minutes, or more
   */
  take(count: number): Promise<readonly Received[]>
  stop(): Promise<void>
}

const PATIENCE_MS = 180_000

export async function startReceiver(): Promise<Receiver> {
  const { url, stop } = await startChild('./webhook-receiver.js', {})
  return {
    url,
    take: async (count) => {
      const answer = await fetch(`${url}/?count=${count}&withinMs=${PATIENCE_MS}`)
      const received = z.array(receivedSchema).parse(await answer.json())
      if (received.length !== count) throw new Error(`received ${received.length} messages instead of ${count}`)
      return received
    },
    stop,
  }
}
