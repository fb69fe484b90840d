import { trimEnd } from './trim-end.ts'

/** What is wrong with the address of a server, in words that follow its name. */
const WRONG = {
  protocol: 'must be a URL that begins with http:// or https://',
  parts: 'must have no user, password, query or fragment',
} as const

/**
 * The address of a server to which paths are added, as `URL` writes it and without a slash at its end.
 *
 * @returns what is wrong with it when it is none
 */
export function parseBaseUrl(given: string): { readonly url: string } | { readonly wrong: string } {
  if (!/^https?:\/\//i.test(given.trim()) || !URL.canParse(given)) return { wrong: WRONG.protocol }
  const { origin, pathname, username, password, href } = new URL(given)
  // An empty query or fragment counts too: paths would be added to it.
  if (username + password !== '' || /[?#]/.test(href)) return { wrong: WRONG.parts }
  return { url: trimEnd(`${origin}${pathname}`, /^\/$/) }
}
