import type { FeedEvent } from '../../feed/rss-feed.ts'
import { counted, quoted, receivers, sentence, SUMMARIZED } from './wording.ts'

export function describeFeed(event: FeedEvent): string {
  switch (event.type) {
    case 'FeedSummarized':
      return SUMMARIZED
    case 'FeedAdded': {
      const { url, checkIntervalMinutes, selections } = event.data
      return sentence(`The feed was added, checked ${every(checkIntervalMinutes)}, for ${receivers(selections)}`, url)
    }
    case 'FeedChanged':
      return sentence('The feed was changed', changes(event.data).join(', '))
    case 'FeedDeleted':
      return 'The feed was deleted.'
    case 'FeedCheckRequested':
      return 'A check was requested.'
    case 'FeedSeeded': {
      const { items, newestAt, isWhole } = event.data
      const newest = newestAt === undefined ? '' : `, the newest from ${newestAt}`
      const rest = isWhole ? '' : ', and more in a document too long to be read in full'
      return sentence('Items already in the feed were not posted', `${counted(items, 'item')}${newest}${rest}`)
    }
    case 'FeedCheckFailed':
      return sentence('A check failed', event.data.error)
    case 'FeedRecovered':
      return 'A check succeeded again.'
  }
}

function changes(data: Extract<FeedEvent, { type: 'FeedChanged' }>['data']): readonly string[] {
  const { active, checkIntervalMinutes, selections, captionTemplate } = data
  return [
    ...(active === undefined ? [] : [active ? 'active' : 'paused']),
    ...(checkIntervalMinutes === undefined ? [] : [`checked ${every(checkIntervalMinutes)}`]),
    ...(selections === undefined ? [] : [`for ${receivers(selections)}`]),
    ...(captionTemplate === undefined ? [] : [`with the caption ${quoted(captionTemplate) || 'left empty'}`]),
  ]
}

function every(minutes: number): string {
  return `every ${counted(minutes, 'minute')}`
}
