import { trimEnd } from './trim-end.ts'

/** What is wrong with a server's address, phrased to follow the setting's name. */
const WRONG = {
  protocol: 'must be a URL that begins with http:// or https://',
  parts: 'must not contain a user, password, query or fragment',
} as const

/**
 * Parses a server address to which paths are appended: as `URL` writes it, without a trailing slash.
 *
 * @returns what is wrong, if the address is invalid
 */
export function parseBaseUrl(given: string): { readonly url: string } | { readonly wrong: string } {
  if (!/^https?:\/\//i.test(given.trim()) || !URL.canParse(given)) return { wrong: WRONG.protocol }
  const { origin, pathname, username, password, href } = new URL(given)
  // Also rejects an empty query or fragment: paths would be appended to it.
  if (username + password !== '' || /[?#]/.test(href)) return { wrong: WRONG.parts }
  return { url: trimEnd(`${origin}${pathname}`, /^\/$/) }
}
