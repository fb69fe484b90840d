import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A hole in the guard: a host name, an address or a CIDR range, on one port or on every port. */
export interface Allowance {
  readonly host: string
  readonly port?: number
}

export interface OutboundTarget {
  /** As the URL names it. */
  readonly hostname: string
  /** What the name resolved to, or what the socket is connected to. */
  readonly address: string
  readonly port: number
}

export interface OutboundPolicy {
  /** Why a connection may not be made, in plain words; `undefined` when it may. */
  refusal(target: OutboundTarget): string | undefined
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]
type Rule = { readonly port: number | undefined } & ({ readonly name: string } | { readonly range: Range })

/** Azure answers its machines' secrets on this address, which looks public. */
const AZURE_WIRE_SERVER = '168.63.129.16'
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/

/**
 * What the service may connect to: public unicast addresses on the ports 80, 443 and from 1024 up, and what is allowed
 * beside them.
 *
 * @param setting OUTBOUND_ALLOW: hosts and CIDR ranges, each with or without `:port`, comma separated. A host name allows
 *   whatever it resolves to; without a port, all ports are allowed.
 * @param more allowances of the service itself, as for its own sandbox
 * @throws Error that names the first entry that can't be read
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

/** The name or address itself: without the brackets of IPv6 and the dot that ends a full name. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** Reachable by everyone: unicast, and in no range that is private, special, documentation or a way into IPv4. */
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

/** `8080` and `0x7f.1` are addresses to a URL; as an entry they are a slip of the pen. */
function isName(host: string): boolean {
  return NAME.test(host) && URL.canParse(`http://${host}`) && !isIP(new URL(`http://${host}`).hostname)
}

function allows(rule: Rule, host: string, address: string, port: number): boolean {
  if (rule.port !== undefined && rule.port !== port) return false
  if ('name' in rule) return rule.name === host
  const parsed = ipaddr.process(address)
  return parsed.kind() === rule.range[0].kind() && parsed.match(rule.range)
}
