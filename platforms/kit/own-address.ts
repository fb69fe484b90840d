const MOST_CHARACTERS = 2_048
const isWeb = /^https?:$/

/**
 * Validates a URL that a platform returns for one of its own pages, before it is shown as a link.
 *
 * @param hosts the platform's own; subdomains count too
 * @param server the platform's API, because a stand-in serves its pages from there
 * @returns undefined unless it is https on one of the hosts, or on the server's host
 */
export function ownAddress(given: string | undefined, hosts: readonly string[], server?: string): string | undefined {
  if (given === undefined || given.length > MOST_CHARACTERS || !URL.canParse(given)) return undefined
  const { protocol, hostname, username, href } = new URL(given)
  const isOwn = protocol === 'https:' && hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  const isServer = server !== undefined && isWeb.test(protocol) && hostname === new URL(server).hostname
  return username === '' && (isOwn || isServer) ? href : undefined
}
