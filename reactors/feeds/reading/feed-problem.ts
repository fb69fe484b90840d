import type { HttpFailure } from '../../../infra/http/http.ts'
import type { ParsedFeed } from './feed.ts'

/** For a document that ends before its root does: the missing part may hold old items. */
export const CUT_OFF = 'The feed is incomplete; check what its server sends. The next check reads it as it is.'

/** Why a feed could not be fetched: one sentence for its owner, with what to do. */
export function fetchProblem({ kind, message }: HttpFailure): string {
  switch (kind) {
    case 'blocked':
      return `Fanfare is not allowed to fetch this address (${message}); use a public one.`
    case 'bad-url':
      return `The feed's address, or one that it redirects to, is not a usable http(s) URL (${message}); correct it.`
    case 'unreachable':
      return `The feed's server could not be reached (${message}); check the address, or wait until the server is back.`
    case 'timeout':
      return "The feed did not arrive within 10 seconds; check the feed's server."
    case 'reset':
      return "The connection to the feed's server was lost; check the server if this keeps happening."
    case 'too-large':
      return 'The feed is larger than 5 MB; reduce the number or length of its items.'
    case 'malformed':
      return `The response from the feed's server could not be read (${message}); check the server.`
    case 'aborted':
      return 'Reading the feed was interrupted; the next check tries again.'
  }
}

/** For a response without a document. */
export function statusProblem(status: number): string {
  const answered = `The feed's server responded with HTTP ${status}`
  if (status === 304) return `${answered} (not modified) although Fanfare has no copy yet; check the server.`
  if (status >= 300 && status < 400) return `${answered}, one redirect too many; use the feed's current address.`
  if (status === 401 || status === 403) return `${answered} (not allowed); make the feed readable without a login.`
  if (status === 404 || status === 410) return `${answered}: there is no feed at this address; correct the address.`
  if (status === 429) return `${answered} (too many requests); check this feed less often.`
  if (status >= 500) return `${answered}; check the server, or wait until it recovers.`
  return `${answered} instead of the feed; check the address.`
}

/** For a document that is not a feed, or that could not be read. */
export function contentProblem(parsed: Exclude<ParsedFeed, { readonly kind: 'feed' }>): string {
  switch (parsed.kind) {
    case 'web-page':
      return parsed.feedUrl === undefined
        ? 'This address is a web page, not a feed; find the address of its feed.'
        : `This address is a web page, not a feed; use its feed's address: ${parsed.feedUrl}`
    case 'json':
      return "This address returns JSON; JSON feeds are not supported, so use the site's RSS or Atom feed."
    case 'empty':
      return 'The feed is an empty document; check what its server sends.'
    case 'something-else':
      return parsed.root === undefined
        ? 'This address has no RSS or Atom feed; check what its server sends.'
        : `This address has no RSS or Atom feed (its document begins with <${parsed.root.slice(0, 50)}>); correct it.`
    case 'too-deep':
      return 'The feed is damaged: its elements are nested too deeply; check what its server sends.'
    case 'too-slow':
    case 'too-heavy':
      return 'The feed is too complex to read; reduce the number or length of its items.'
    case 'broken-off':
      return 'The feed could not be read this time; the next check tries again.'
  }
}
