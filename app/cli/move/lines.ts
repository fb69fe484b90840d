import { Refusal } from '../../../domain/core/errors.ts'
import { MAX_EVENT_BYTES } from '../../../event-log/event-log.ts'

export interface Line {
  /** From 1. */
  readonly number: number
  /** Without the newline. */
  readonly bytes: Buffer
}

/** No event that a log accepts makes a longer line. */
const LONGEST = 2 * MAX_EVENT_BYTES
const NEWLINE = 10

/**
 * Splits a source into lines, however it is chunked, holding at most one in memory. Anything after the last newline is a line
 * too.
 *
 * @throws Refusal naming a line that is too long
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let [number, held, heldBytes]: [number, Buffer[], number] = [1, [], 0]
  const hold = (piece: Buffer) => {
    heldBytes += piece.length
    if (heldBytes > LONGEST) throw new Refusal('invalid_request', `line ${number}: is longer than ${LONGEST} bytes`)
    if (piece.length > 0) held.push(piece)
  }
  for await (const given of source) {
    const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, end))
      yield { number, bytes: Buffer.concat(held) }
      ;[number, held, heldBytes, from] = [number + 1, [], 0, end + 1]
    }
    hold(chunk.subarray(from))
  }
  if (heldBytes > 0) yield { number, bytes: Buffer.concat(held) }
}
