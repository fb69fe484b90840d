import type { AccountEvent } from '../../account/account.ts'
import { listed, quoted, sentence, SUMMARIZED } from './wording.ts'

export function describeAccount(event: AccountEvent): string {
  switch (event.type) {
    case 'AccountSummarized':
      return SUMMARIZED
    case 'AccountConnected': {
      const { platform, externalId, label, baseUrl } = event.data
      const server = baseUrl === undefined ? '' : `, at ${baseUrl}`
      return sentence(`The account ${quoted(label)} on ${platform} was connected (${externalId})${server}`)
    }
    case 'AccountOwnerIdentified':
      return sentence(`The access was granted by ${event.data.ownerId}`)
    case 'AccountDisconnected':
      return 'The account was disconnected.'
    case 'AccountRested':
      return sentence(`The platform asked to wait until ${event.data.until}`, event.data.reason)
    case 'AccountNeedsReauth':
      return sentence(
        'The platform no longer accepted the credentials, and the account must be connected again',
        event.data.reason,
      )
    case 'AccountExpiring':
      return sentence(`The access ends at ${event.data.until}, unless the account is connected again`)
    case 'AccountLimited':
      return sentence(`The platform refused ${event.data.capability}`, event.data.reason)
    case 'AccountLimitLifted':
      return sentence(`The platform allows ${event.data.capability} again`)
    case 'AutomationSet': {
      const { mode, instruction } = event.data
      const by = quoted(instruction)
      return sentence(`Automation set to ${mode}${by && `, with the instruction ${by}`}`)
    }
    case 'BackgroundReadingSet':
      return `Reading comments and metrics in the background was switched ${event.data.isOn ? 'on' : 'off'}.`
    case 'PostDefaultsSet': {
      const options = Object.entries(event.data.options).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      return sentence(
        `The defaults of its posts were ${options.length === 0 ? 'removed' : `set to ${listed(options)}`}`,
      )
    }
    case 'CommentsCheckRequested':
      return sentence(`A check for comments was requested for ${event.data.checkAt}`)
    case 'PersonalDataErased':
      return 'The name of the account was erased.'
  }
}
