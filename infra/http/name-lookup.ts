import { lookup as lookupBySystem, Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import type { Address, Lookup } from './outbound-address.ts'
import { isPublicAddress } from './outbound-guard.ts'

export interface NameLookupOptions {
  /** DNS servers, each `address:port`. Default: those of the machine. */
  readonly servers?: readonly string[]
  /** Default: the operating system's. */
  readonly system?: Lookup
  /** Default: whether this machine has a public IPv6 address, following RFC 6724. */
  readonly ipv6First?: () => boolean
}

/** The second try waits twice as long: at most 4 s with one server, which is less than a connection may take. */
const PATIENCE = { timeout: 1_000, tries: 2 }

/** No such name, no address of this family, no DNS server to ask. */
const NOT_IN_DNS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Queries DNS directly. The system's lookup blocks one of a few threads until a name is answered, so a few unanswered names would
 * stall all others. It is used only for what DNS does not know: the hosts file and search domains.
 *
 * The lookup throws an Error with a `code`, as Node's own do.
 */
export function nameLookup(options: NameLookupOptions = {}): Lookup {
  const { servers, system = systemLookup, ipv6First = hasPublicIpv6 } = options
  const askSystem = shared(system)
  return async (name) => {
    if (!name.includes('.')) return askSystem(name)
    // Created each time, to follow changes of the machine's DNS servers.
    const resolver = new Resolver(PATIENCE)
    if (servers) resolver.setServers(servers)
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)]
    if (found.length > 0) return ipv6First() ? found.toSorted((one, other) => other.family - one.family) : found
    const failures = [ipv4, ipv6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    const unsettled = failures.find((failure) => !isNotInDns(failure))
    if (unsettled !== undefined) throw unsettled
    return askSystem(name)
  }
}

const systemLookup: Lookup = (name) => lookupBySystem(name, { all: true })

/** One lookup in flight per name, however many callers wait for it. */
function shared(lookup: Lookup): Lookup {
  const underWay = new Map<string, ReturnType<Lookup>>()
  return (name) => {
    const asked = underWay.get(name)
    if (asked) return asked
    const answer = lookup(name).finally(() => underWay.delete(name))
    underWay.set(name, answer)
    return answer
  }
}

function toAddresses(answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}

function isNotInDns(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && NOT_IN_DNS.has(failure.code)
}

function hasPublicIpv6(): boolean {
  try {
    const own = Object.values(networkInterfaces()).flat()
    return own.some((it) => it?.family === 'IPv6' && isPublicAddress(it.address))
  } catch {
    // A hardened service may not be allowed to list them.
    return false
  }
}
