import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { beforeDeadline, startDeadline, type Deadline } from './deadline.ts'
import { HttpFailure } from './http.ts'
import type { Demand } from './http-demand.ts'
import { errorCode, portOf, vettedAddresses, type Address, type OutboundGuard } from './outbound-address.ts'
import { bareHost } from './outbound-guard.ts'

export interface ConnectOptions extends OutboundGuard {
  /** Milliseconds for lookup, connect and TLS together. */
  readonly timeoutMs: number
  /** Requests that wait for a connection; without any, nothing is dialed. */
  readonly demand: Demand
  /** Aborts connects in progress. */
  readonly closing: AbortSignal
  /** PEM certificates to trust instead of the default ones. */
  readonly ca?: string
}

/** Delay between the addresses of one name (RFC 8305). Node's default of 250 ms gives up on healthy hosts across an ocean. */
const NEXT_ADDRESS_MS = 1_000

/**
 * Makes undici's connections. The guard holds because it checks here, not when the URL is parsed: whatever name, spelling, DNS
 * answer or redirect led to the connect, the dialed address is the vetted one.
 */
export function guardedConnector(options: ConnectOptions): buildConnector.connector {
  const late = { kind: 'unreachable', message: `no connection within ${options.timeoutMs} ms` } as const
  const closed = { kind: 'aborted', message: 'the HTTP client was closed' } as const
  return (target, callback) => {
    const deadline = startDeadline(options.clock, options.timeoutMs, late, [{ signal: options.closing, stop: closed }])
    connect(target, options, deadline)
      .finally(deadline.end)
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
  }
}

async function connect(target: buildConnector.Options, options: ConnectOptions, deadline: Deadline): Promise<Socket> {
  const host = bareHost(target.hostname)
  const port = portOf(target)
  const addresses = await vettedAddresses(host, port, options, deadline)
  if (!options.demand.has(`${target.protocol}//${target.host ?? ''}`)) {
    throw new HttpFailure('aborted', 'no request is waiting for the connection', false)
  }
  const socket = dial(target.protocol === 'https:', host, port, addresses, options)
  try {
    await beforeDeadline(deadline, connected(socket, target.protocol, host))
    const refusal = options.policy.refusal({ hostname: host, address: socket.remoteAddress ?? '', port })
    if (refusal !== undefined) throw new HttpFailure('blocked', refusal, false)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function dial(
  secure: boolean,
  host: string,
  port: number,
  addresses: readonly Address[],
  { ca }: ConnectOptions,
): Socket {
  const common = {
    host,
    port,
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
    keepAlive: true,
  }
  if (!secure) return connectTcp(common)
  return connectTls({
    ...common,
    minVersion: 'TLSv1.2',
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca === undefined ? {} : { ca }),
  })
}

/** Answers with the vetted addresses. A second lookup might return others. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}

function connected(socket: Socket, protocol: string, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', resolve)
    // Stays attached, so that an error before the client adds its own listener is not thrown.
    socket.on('error', (error) => {
      const message = `could not connect to ${host} (${errorCode(error)})`
      reject(new HttpFailure('unreachable', message, false, { cause: error }))
    })
  })
}
