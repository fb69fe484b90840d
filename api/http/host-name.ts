import ipaddr from 'ipaddr.js'

/**
 * Whether a host's name leads nowhere else: localhost, or an address of numbers. Any other name may have been pointed here by
 * whoever it belongs to, so that pages of theirs reach what their reader's computer reaches (DNS rebinding).
 *
 * @param name as `URL` has it
 */
export function leadsNowhereElse(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || ipaddr.isValid(name.replace(/^\[|\]$/g, ''))
}
