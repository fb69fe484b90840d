import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock } from '../../infra/runtime/clock.ts'

/** How much a client may still send, and for how long (ms), after it was answered. */
const MOST_BYTES = 100 * 1024 * 1024
const LONGEST_MS = 5_000

/**
 * An answer that is sent at once, but ends only when the client has stopped sending, or has reached the limits above. Closing a
 * connection with unread bytes resets it, and the client may lose the answer.
 */
export function lingering(answer: string, request: IncomingMessage, clock: Clock): Readable {
  const body = new Readable({ read: () => undefined })
  body.push(answer)
  const over = new AbortController()
  const end = (): void => {
    if (over.signal.aborted) return
    over.abort()
    request.off('data', count)
    body.push(null)
  }
  let received = 0
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received > MOST_BYTES) end()
  }
  request.on('data', count).once('end', end).once('close', end)
  request.resume()
  void clock.sleep(LONGEST_MS, over.signal).then(end)
  return body
}
