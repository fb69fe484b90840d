import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

/** What came back over one connection, byte for byte taken apart. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Exchange {
  readonly answers: readonly RawAnswer[]
  /** Bytes after the last whole answer. */
  readonly rest: string
  /** From the first byte sent to the end of the connection, ms. */
  readonly ms: number
}

/**
 * Writes the parts one after another, `pauseMs` apart, then reads until the server ends the connection or has given
 * `answers` whole answers.
 */
export async function exchange(
  port: number,
  parts: readonly (string | Buffer)[],
  { pauseMs = 0, answers = Number.POSITIVE_INFINITY, half = false } = {},
): Promise<Exchange> {
  const started = performance.now()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const chunks: Buffer[] = []
  const enough = new AbortController()
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    if (taken(chunks).answers.length >= answers) enough.abort()
  })
  socket.on('error', () => undefined)
  const ended = Promise.race([once(socket, 'end'), once(socket, 'close')])
  await once(socket, 'connect')
  for (const part of parts) {
    if (socket.destroyed || socket.readableEnded) break
    socket.write(part)
    if (pauseMs > 0) await wait(pauseMs)
  }
  if (half) socket.end()
  await Promise.race([ended, once(enough.signal, 'abort')])
  socket.destroy()
  return { ...taken(chunks), ms: performance.now() - started }
}

function taken(chunks: readonly Buffer[]): Pick<Exchange, 'answers' | 'rest'> {
  // One character per byte, so that Content-Length can be counted.
  let text = Buffer.concat(chunks).toString('latin1')
  const answers: RawAnswer[] = []
  for (;;) {
    const end = text.indexOf('\r\n\r\n')
    const [first = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    if (end === -1 || text.length < end + 4 + length) return { answers, rest: text }
    const body = Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1').toString()
    answers.push({ status: Number(first.split(' ')[1]), headers, text: body })
    text = text.slice(end + 4 + length)
  }
}
