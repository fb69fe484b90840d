import ipaddr from 'ipaddr.js'

/**
 * Whether a host name cannot be rebound: localhost, or an IP address. The owner of any other name can point it here, so that
 * their pages reach whatever the visitor's computer can reach (DNS rebinding).
 *
 * @param name as in `URL.hostname`
 */
export function leadsNowhereElse(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || ipaddr.isValid(name.replace(/^\[|\]$/g, ''))
}
