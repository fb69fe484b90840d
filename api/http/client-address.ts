import ipaddr from 'ipaddr.js'

/**
 * The block that a request without an API key is counted against. An IPv6 client usually controls at least a /64, so
 * counting single addresses would limit nothing.
 *
 * @param given the socket's address or, behind a proxy, whatever its header says
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

/** Some proxies include the port, which differs for each connection: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(given: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(given) ?? []
  return v4 ?? v6 ?? given
}
