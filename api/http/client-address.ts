import ipaddr from 'ipaddr.js'

/**
 * What an address without an API key is counted as. Whoever has one IPv6 address has at least its /64: counting single
 * ones would count nothing.
 *
 * @param given of the socket or, behind a proxy, whatever its header says
 */
export function addressBlock(given: string): string {
  const ip = withoutPort(given)
  if (!ipaddr.isValid(ip)) return ip.slice(0, 64)
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Some proxies tell the port too, which is another with each connection: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(given: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(given) ?? []
  return v4 ?? v6 ?? given
}
