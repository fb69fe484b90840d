import { once, setMaxListeners } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What a network does to what passes through it. */
export interface Weather {
  /** Each piece is held for so long (ms). */
  readonly delayMs?: number
  readonly bytesPerSecond?: number
  /** Connections on which nothing arrives, without an error; what was sent arrives once the weather changes. */
  readonly lost?: readonly Way[]
}
export type Way = 'to server' | 'to client'

/** A network between one client and one server, on a port of its own. */
export interface FaultProxy {
  readonly port: number
  set(weather: Weather): void
  /** Resets every connection; new ones are let through. */
  reset(): void
  close(): Promise<void>
}

export const CALM: Weather = {}
export const PARTITION: Weather = { lost: ['to server', 'to client'] }
/** The server hears and works, its answers are lost. */
export const HALF_OPEN: Weather = { lost: ['to client'] }

export async function faultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let weather = CALM
  let changed = changing()

  const keep = (socket: Socket, peer: Socket) => {
    sockets.add(socket)
    socket.setNoDelay()
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      peer.destroy()
    })
  }

  const pass = async (from: Socket, to: Socket, way: Way) => {
    for await (const piece of from as AsyncIterable<Buffer>) {
      if (weather.delayMs !== undefined) await wait(weather.delayMs)
      for (let sent = 0; sent < piece.length;) {
        while (weather.lost?.includes(way)) await once(changed.signal, 'abort')
        const { bytesPerSecond } = weather
        const part = bytesPerSecond === undefined ? piece.subarray(sent) : piece.subarray(sent, sent + 1)
        if (to.destroyed) return
        if (!to.write(part)) await Promise.race([once(to, 'drain'), once(to, 'close')])
        sent += part.length
        if (bytesPerSecond !== undefined)
          await wait(1_000 / bytesPerSecond, undefined, { signal: changed.signal }).catch(() => undefined)
      }
    }
    to.end()
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    keep(client, target)
    keep(target, client)
    pass(client, target, 'to server').catch(() => client.destroy())
    pass(target, client, 'to client').catch(() => target.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reset = () => sockets.forEach((socket) => socket.resetAndDestroy())

  return {
    port: (server.address() as AddressInfo).port,
    set: (wanted) => {
      weather = wanted
      const before = changed
      changed = changing()
      before.abort()
    },
    reset,
    close: async () => {
      server.close()
      reset()
      await once(server, 'close')
    },
  }
}

/** Every connection waits for it. */
function changing(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
