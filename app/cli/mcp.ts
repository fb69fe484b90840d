import { StreamableHTTPClientTransport, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { tell } from './run.ts'

/** How the tools of a service are reached. */
export interface Service {
  readonly url: URL
  readonly key: string
  readonly profile: string
}

/** JSON-RPC's code for what went wrong on this side. */
const INTERNAL_ERROR = -32_603

/**
 * Passes MCP messages between standard input and output and a running service, until the input ends. A message that cannot be
 * passed on is answered with an error, because hosts do not show what a program writes to standard error.
 */
export async function bridge({ url, key, profile }: Service): Promise<void> {
  const endpoint = new URL(`mcp?profile=${encodeURIComponent(profile)}`, url.href.endsWith('/') ? url : `${url.href}/`)
  const remote = new StreamableHTTPClientTransport(endpoint, {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  })
  const local = new StdioServerTransport()
  local.onmessage = (message) => {
    remote.send(message).catch((error: unknown) => {
      tell(reason(error, endpoint))
      if (!('id' in message) || !('method' in message)) return
      const failure = { code: INTERNAL_ERROR, message: reason(error, endpoint) }
      void local.send({ jsonrpc: '2.0', id: message.id, error: failure })
    })
  }
  remote.onmessage = (message) => {
    const version = negotiated(message)
    if (version !== undefined) remote.setProtocolVersion(version)
    void local.send(message)
  }
  local.onerror = remote.onerror = (error) => tell(error.message)
  await remote.start()
  await local.start()
}

/** The version that a handshake of 2025 agrees on. Later versions are named in each message. */
function negotiated(message: JSONRPCMessage): string | undefined {
  const version = 'result' in message ? message.result['protocolVersion'] : undefined
  return typeof version === 'string' ? version : undefined
}

function reason(error: unknown, { origin }: URL): string {
  if (error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401)) {
    return `${origin} did not accept the API key.`
  }
  if (error instanceof SdkHttpError) return `${origin} answered with status ${error.status}.`
  return `${origin} cannot be reached. Is the service running?`
}
