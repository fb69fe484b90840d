import { isIP } from 'node:net'
import type { Clock } from '../runtime/clock.ts'
import { beforeDeadline, startDeadline, type Deadline } from './deadline.ts'
import { HttpFailure } from './http.ts'
import { nameLookup } from './name-lookup.ts'
import { bareHost, type OutboundPolicy } from './outbound-guard.ts'

export interface Address {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/** Every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly Address[]>

export interface OutboundGuard {
  readonly policy: OutboundPolicy
  /** Default: that of name-lookup.ts. */
  readonly lookup?: Lookup
  readonly clock: Clock
}

const CHECK_MS = 5_000

const lookupName = nameLookup()

/** @throws HttpFailure `bad-url` */
export function outboundUrl(text: string): URL {
  if (!URL.canParse(text)) throw new HttpFailure('bad-url', 'not a URL', false)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new HttpFailure('bad-url', 'not an http or https URL', false)
  }
  if (url.username !== '' || url.password !== '') {
    throw new HttpFailure('bad-url', 'a URL with a user name or password is not allowed', false)
  }
  return url
}

export function portOf(url: { protocol: string; port: string }): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/**
 * The addresses to connect to, all vetted: one bad address rejects the name, or a mixed answer would be a way in.
 *
 * @throws HttpFailure `blocked`, `unreachable`, or the deadline's stop
 */
export async function vettedAddresses(
  hostname: string,
  port: number,
  { policy, lookup = lookupName }: OutboundGuard,
  deadline: Deadline,
): Promise<readonly Address[]> {
  const host = bareHost(hostname)
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await answerWithin(deadline, host, lookup)
  if (addresses.length === 0) throw new HttpFailure('unreachable', `${host} has no address`, false)
  for (const { address } of addresses) {
    const refusal = policy.refusal({ hostname: host, address, port })
    if (refusal !== undefined) throw new HttpFailure('blocked', refusal, false)
  }
  return addresses
}

/** The system's name for an error (`ECONNREFUSED`): it contains nothing from a URL or header. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/**
 * Whether the guard would allow a URL now (decisions: webhooks are checked at registration). Every connect checks again.
 *
 * @throws HttpFailure `bad-url`, `blocked`, or `unreachable` if the name does not resolve within 5 s
 */
export async function checkOutbound(text: string, guard: OutboundGuard): Promise<void> {
  const url = outboundUrl(text)
  const late = { kind: 'unreachable', message: `${url.hostname} could not be looked up in time` } as const
  const deadline = startDeadline(guard.clock, CHECK_MS, late, [])
  try {
    await vettedAddresses(url.hostname, portOf(url), guard, deadline)
  } finally {
    deadline.end()
  }
}

/** A lookup cannot be canceled, only abandoned. */
async function answerWithin(deadline: Deadline, host: string, lookup: Lookup): Promise<readonly Address[]> {
  const answer = lookup(host).catch((error: unknown) => {
    throw new HttpFailure('unreachable', `${host} could not be looked up (${errorCode(error)})`, false, {
      cause: error,
    })
  })
  return beforeDeadline(deadline, answer)
}
