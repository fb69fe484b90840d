import type * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import type { addChannelBody } from './channel-schemas.ts'

type Given = z.output<typeof addChannelBody>

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

/** @throws Refusal invalid_request naming a field that the kind needs */
export function targetOf(given: Given): Target {
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
  }
}

function needed(given: Given, field: 'address' | 'url' | 'botToken' | 'chat'): string {
  const value = given[field]
  if (value !== undefined) return value
  throw new Refusal('invalid_request', `${field} is required for kind ${given.kind}`)
}
