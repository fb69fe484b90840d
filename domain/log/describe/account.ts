import type { AccountEvent } from '../../account/account.ts'
import { quoted, sentence, SUMMARIZED } from './wording.ts'

export function describeAccount(event: AccountEvent): string {
  switch (event.type) {
    case 'AccountSummarized':
      return SUMMARIZED
    case 'AccountConnected': {
      const { platform, externalId, label, baseUrl } = event.data
      const server = baseUrl === undefined ? '' : `, at ${baseUrl}`
      return sentence(`The account ${quoted(label)} on ${platform} was connected (${externalId})${server}`)
    }
    case 'AccountDisconnected':
      return 'The account was disconnected.'
    case 'AccountRested':
      return sentence(`The platform asked to wait until ${event.data.until}`, event.data.reason)
    case 'AccountNeedsReauth':
      return sentence(
        'The platform no longer accepted the credentials, and the account must be connected again',
        event.data.reason,
      )
    case 'AutomationSet': {
      const { mode, instruction } = event.data
      const by = quoted(instruction)
      return sentence(`Automation set to ${mode}${by && `, with the instruction ${by}`}`)
    }
    case 'CommentsCheckRequested':
      return sentence(`A check for comments was requested for ${event.data.checkAt}`)
    case 'PersonalDataErased':
      return 'The name of the account was erased.'
  }
}
