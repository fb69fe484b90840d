import * as z from 'zod'
import { PlatformError } from '../kit/platform.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** A decentralized identifier: the permanent id of an account. */
export const didSchema = z
  .string()
  .max(2_048)
  .regex(/^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/)

/** `at://` + DID + collection + key (at-uri-scheme, "Restricted AT URI Syntax"). */
export const recordUri = z
  .string()
  .max(3_000)
  .regex(/^at:\/\/did:[a-z]+:[a-zA-Z0-9._:%-]+\/[a-zA-Z0-9.-]{1,317}\/[a-zA-Z0-9._~:-]{1,512}$/)

const didDocument = z.object({
  service: z.array(z.object({ type: z.string(), serviceEndpoint: z.unknown() })),
})

/** The server that hosts an account, from its DID document; undefined if the document names no HTTPS endpoint. */
export function serverOf(didDoc: unknown): string | undefined {
  const document = didDocument.safeParse(didDoc)
  const endpoint = document.data?.service.find(({ type }) => type === 'AtprotoPersonalDataServer')?.serviceEndpoint
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return undefined
  const { protocol, origin } = new URL(endpoint)
  // HTTPS only: the session's tokens are sent there.
  return protocol === 'https:' ? origin : undefined
}

/** Milliseconds to wait for one handle: an unresolved mention must not hold up the post. */
const LOOK_UP_TIMEOUT_MS = 5_000

/** The DID of a handle; undefined if there is none or it cannot be resolved right now. */
export async function resolveHandle(handle: string, host: string, io: XrpcIo): Promise<string | undefined> {
  const call = {
    host,
    method: 'GET',
    nsid: 'com.atproto.identity.resolveHandle',
    query: { handle },
    timeoutMs: LOOK_UP_TIMEOUT_MS,
  } as const
  try {
    return (await xrpc(call, z.object({ did: didSchema }), io)).did
  } catch (error) {
    if (error instanceof PlatformError && !io.signal.aborted) return undefined
    throw error
  }
}
