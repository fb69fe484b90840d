import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface CuttingProxy {
  readonly port: number
  /** The statements over which no connection has broken yet. */
  left(): readonly string[]
}

/** A way to a database on which the connection breaks that is the first to send each of these parts of a statement. */
export async function cuttingProxy(
  t: Test,
  target: { readonly host: string; readonly port: number },
  statements: readonly string[],
): Promise<CuttingProxy> {
  const left = new Set(statements)
  const server = createServer((client) => {
    const peer = connect(target)
    const end = () => {
      client.destroy()
      peer.destroy()
    }
    for (const socket of [client, peer]) socket.on('error', end).on('close', end)
    client.on('data', (piece) => {
      const met = [...left].find((statement) => piece.includes(statement))
      if (met === undefined) return void peer.write(piece)
      left.delete(met)
      client.resetAndDestroy()
      peer.destroy()
    })
    peer.on('data', (piece) => client.write(piece))
    t.teardown(end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port, left: () => [...left] }
}
