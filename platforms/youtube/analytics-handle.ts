/** The API filter to look up a channel by. */
export type ChannelFilter = { readonly id: string } | { readonly forHandle: string } | { readonly forUsername: string }

const CHANNEL_ID = /^UC[\w-]{22}$/
/** Letters of any script; YouTube decides which ones it accepts. */
const NAME = /^[\p{L}\p{M}\p{N}._·-]{1,100}$/u
const HOST = /^(?:www\.|m\.)?youtube\.com$/

/**
 * Parses what people call a channel by: its handle, with or without @, its id, or its page URL. Old URLs of the form
 * `/c/name` are not supported, as the API cannot look up these names.
 *
 * @returns undefined if it cannot be a channel
 */
export function channelFilter(given: string): ChannelFilter | undefined {
  const text = given.trim()
  if (text.includes('/')) return filterInAddress(text)
  return byId(text) ?? byName('forHandle', text.replace(/^@/, ''))
}

function filterInAddress(address: string): ChannelFilter | undefined {
  const absolute = /^https?:\/\//i.test(address) ? address : `https://${address}`
  const url = URL.canParse(absolute) ? new URL(absolute) : undefined
  if (!url || !HOST.test(url.hostname)) return undefined
  const [kind = '', name = ''] = url.pathname.split('/').slice(1).map(plain)
  if (kind.startsWith('@')) return byName('forHandle', kind.slice(1))
  if (kind === 'channel') return byId(name)
  return kind === 'user' ? byName('forUsername', name) : undefined
}

/** Decodes percent-encoding; empty if malformed. */
function plain(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

function byId(id: string): ChannelFilter | undefined {
  return CHANNEL_ID.test(id) ? { id } : undefined
}

function byName(filter: 'forHandle' | 'forUsername', name: string): ChannelFilter | undefined {
  if (!NAME.test(name)) return undefined
  return filter === 'forHandle' ? { forHandle: name } : { forUsername: name }
}
