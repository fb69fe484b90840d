import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/** A door in front of a TCP server, for what happens to networks: cut connections, nobody listening, silence. */
export interface TcpGate {
  readonly port: number
  /** Resets every connection; new ones are let through. */
  cut(): void
  /** Stops listening and resets every connection. */
  shut(): Promise<void>
  /** Listens again, on the same port. */
  open(): Promise<void>
  /** While silent, nothing passes in either direction and nobody is told. */
  silence(silent: boolean): void
}

export async function tcpGate(targetPort: number): Promise<TcpGate> {
  const sockets = new Set<Socket>()
  let silent = false

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.setNoDelay()
  }

  const pass = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => {
      if (!to.write(bytes)) from.pause()
    })
    to.on('drain', () => {
      if (!silent) from.resume()
    })
    from.on('close', () => to.destroy())
    if (silent) from.pause()
  }

  const listen = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const target = connect(targetPort, '127.0.0.1')
      keep(client)
      keep(target)
      pass(client, target)
      pass(target, client)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  const cut = () => sockets.forEach((socket) => socket.resetAndDestroy())
  let server: Server | undefined = await listen(0)
  const port = portOf(server)

  return {
    port,
    cut,
    shut: async () => {
      const closing = server
      server = undefined
      if (!closing) return
      closing.close()
      cut()
      await once(closing, 'close')
    },
    open: async () => {
      server ??= await listen(port)
    },
    silence: (wanted) => {
      silent = wanted
      sockets.forEach((socket) => (silent ? socket.pause() : socket.resume()))
    },
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the gate has no port')
  return address.port
}
