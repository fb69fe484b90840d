import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An exception to the guard: a host name, address or CIDR range, on one port or on every port. */
export interface Allowance {
  readonly host: string
  readonly port?: number
}

export interface OutboundTarget {
  /** As in the URL. */
  readonly hostname: string
  /** What the name resolved to, or the socket's remote address. */
  readonly address: string
  readonly port: number
}

export interface OutboundPolicy {
  /** Why a connection is not allowed, in plain words; `undefined` if it is. */
  refusal(target: OutboundTarget): string | undefined
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]
type Rule = { readonly port: number | undefined } & ({ readonly name: string } | { readonly range: Range })

/** Azure serves its machines' secrets on this address, which looks public. */
const AZURE_WIRE_SERVER = '168.63.129.16'
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/

/**
 * What the service may connect to: public unicast addresses on ports 80, 443 and 1024 or higher, plus the allowances.
 *
 * @param setting OUTBOUND_ALLOW: comma-separated hosts and CIDR ranges, each with or without `:port`. A host name allows whatever
 *   it resolves to; without a port, all ports are allowed.
 * @param more the service's own allowances, e.g. for its sandbox
 * @throws Error naming the first invalid entry
 */
export function outboundPolicy(setting: string, more: readonly Allowance[] = []): OutboundPolicy {
  const entries = setting.split(',').map((entry) => entry.trim())
  const rules = [
    ...entries.filter((entry) => entry !== '').map((entry) => toRule(entry, splitPort(entry))),
    ...more.map((allowance) => toRule(allowance.host, allowance)),
  ]
  return {
    refusal: ({ hostname, address, port }) => {
      if (!isIP(address)) return `${hostname} did not resolve to an address`
      if (rules.some((rule) => allows(rule, bareHost(hostname), address, port))) return undefined
      if (!isPublicAddress(address)) {
        return bareHost(hostname) === address ? `${address} is not a public address` : `${hostname} is not public`
      }
      return port === 80 || port === 443 || port >= 1024 ? undefined : `port ${port} is not allowed`
    },
  }
}

/** The bare name or address: without IPv6 brackets or the trailing dot of a fully qualified name. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** Globally reachable: unicast, and not in a private, special-purpose, documentation or IPv4-embedding range. */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.toString() === AZURE_WIRE_SERVER || parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_GLOBAL_UNICAST)
}

function splitPort(entry: string): Allowance {
  if (isIP(entry)) return { host: entry }
  const [, host = entry, port] = /^(\[.*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? []
  return port === undefined ? { host } : { host, port: Number(port) }
}

function toRule(entry: string, { host, port }: Allowance): Rule {
  const bare = bareHost(host)
  if (port === undefined || (Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    const range = toRange(bare)
    if (range) return { range, port }
    if (!host.startsWith('[') && isName(bare)) return { name: bare, port }
  }
  throw new Error(`OUTBOUND_ALLOW: "${entry}" is not a host, host:port or CIDR range`)
}

function toRange(host: string): Range | undefined {
  const [address = '', prefix] = host.split('/')
  if (!isIP(address)) return undefined
  const parsed = ipaddr.process(address)
  const bits = parsed.toByteArray().length * 8
  if (prefix === undefined) return [parsed, bits]
  return /^\d{1,3}$/.test(prefix) && host === `${address}/${prefix}` && Number(prefix) <= bits
    ? [parsed, Number(prefix)]
    : undefined
}

/** A URL reads `8080` and `0x7f.1` as addresses; as an entry they are typos. */
function isName(host: string): boolean {
  return NAME.test(host) && URL.canParse(`http://${host}`) && !isIP(new URL(`http://${host}`).hostname)
}

function allows(rule: Rule, host: string, address: string, port: number): boolean {
  if (rule.port !== undefined && rule.port !== port) return false
  if ('name' in rule) return rule.name === host
  const parsed = ipaddr.process(address)
  return parsed.kind() === rule.range[0].kind() && parsed.match(rule.range)
}
