import ipaddr from 'ipaddr.js'

/**
 * What an address without an API key is counted as. Whoever has one IPv6 address has at least its /64: counting single
 * ones would count nothing.
 *
 * @param ip of the socket or, behind a proxy, whatever its header says
 */
export function addressBlock(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, 64)
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
