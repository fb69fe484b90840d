import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import { leadsNowhereElse } from '../http/host-name.ts'

/**
 * Refuses requests that another site's page made a browser send. Such a page may have a name that resolves to this host (DNS
 * rebinding), so the only name accepted is that of `PUBLIC_URL`; localhost and IP addresses cannot be rebound.
 *
 * @throws Refusal forbidden
 */
export function mustBeSameOrigin({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new Refusal('forbidden', 'This request came from a page of another origin.')
  }
  const { origin } = headers
  if (origin === undefined || isOwn(origin, headers.host, publicUrl)) return
  throw new Refusal(
    'forbidden',
    'This request came from a page of another origin. Open the dashboard at localhost, at an IP address, or at PUBLIC_URL. Set PUBLIC_URL to the URL at which browsers reach the service.',
  )
}

function isOwn(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  if (publicUrl !== undefined && given.origin === new URL(publicUrl).origin) return true
  return leadsNowhereElse(given.hostname) && given.host === host
}
