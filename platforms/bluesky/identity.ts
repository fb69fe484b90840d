import { z } from 'zod'
import { BlueskyError } from './errors.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** A decentralized identifier, an account's lasting name. */
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

/** The server that holds an account, by its DID document; undefined when that names none that may be called. */
export function serverOf(didDoc: unknown): string | undefined {
  const document = didDocument.safeParse(didDoc)
  const endpoint = document.data?.service.find(({ type }) => type === 'AtprotoPersonalDataServer')?.serviceEndpoint
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return undefined
  const { protocol, origin } = new URL(endpoint)
  // The session's tokens go there.
  return protocol === 'https:' ? origin : undefined
}

/** Milliseconds to wait for one handle: a mention is not worth a post. */
const LOOK_UP_TIMEOUT_MS = 5_000

/** The DID of a handle; undefined when there is none, or it can't be found out now. */
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
    if (error instanceof BlueskyError && !io.signal.aborted) return undefined
    throw error
  }
}
