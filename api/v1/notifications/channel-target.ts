import type * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import type { addOwnChannelBody } from './channel-schemas.ts'

export type Given = z.output<typeof addOwnChannelBody>

/** Where a channel leads. */
export interface Target {
  /** Goes into the vault. */
  readonly secret: Readonly<Record<string, string>>
  /** What is shown of it. */
  readonly address: string
  /** What is called; undefined if it is not by HTTP. */
  readonly url?: string
}

const TELEGRAM = 'https://api.telegram.org'
/** How many characters of a secret URL are shown, so that two of them can be told apart. */
const SHOWN = 4

/**
 * @param browser what the caller's browser is called
 * @throws Refusal invalid_request naming a field that the kind needs
 */
export function targetOf(given: Given, browser = 'A browser'): Target {
  switch (given.kind) {
    case 'email': {
      const address = needed(given, 'address')
      return { secret: { address }, address }
    }
    case 'slack':
    case 'discord': {
      const url = needed(given, 'url')
      return { secret: { url }, address: `${new URL(url).host}/…${url.slice(-SHOWN)}`, url }
    }
    case 'telegram': {
      const { url = TELEGRAM } = given
      const [botToken, chat] = [needed(given, 'botToken'), needed(given, 'chat')]
      if (!/^[\w:-]+$/.test(botToken)) throw new Refusal('invalid_request', 'botToken is not a token of BotFather')
      return { secret: { url, botToken, chat }, address: chat, url }
    }
    case 'ntfy': {
      const url = needed(given, 'url')
      const { host, pathname } = new URL(url)
      if (!/^\/[-\w]{1,64}$/.test(pathname)) {
        throw new Refusal('invalid_request', 'url must end with the name of the topic, as in https://ntfy.sh/my-topic')
      }
      const { token } = given
      return { secret: { url, ...(token !== undefined && { token }) }, address: `${host}${pathname}`, url }
    }
    case 'push': {
      const { endpoint, keys } = needed(given, 'subscription')
      return { secret: { endpoint, ...keys }, address: browser, url: endpoint }
    }
  }
}

function needed<Field extends 'address' | 'url' | 'botToken' | 'chat' | 'subscription'>(given: Given, field: Field) {
  const value = given[field]
  if (value !== undefined) return value as NonNullable<Given[Field]>
  throw new Refusal('invalid_request', `${field} is required for kind ${given.kind}`)
}
