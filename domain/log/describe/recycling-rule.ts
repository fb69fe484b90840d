import type { RecyclingEvent } from '../../recycling/recycling-events.ts'
import { counted, quoted, receivers, sentence, SUMMARIZED, writer } from './wording.ts'

export function describeRecyclingRule(event: RecyclingEvent): string {
  switch (event.type) {
    case 'RecyclingRuleSummarized':
      return SUMMARIZED
    case 'RecyclingRuleAdded': {
      const { sourcePostId, nextRecycleAt } = event.data
      return sentence(`The rule was added for post ${sourcePostId}, ${turns(event.data)}, starting ${nextRecycleAt}`)
    }
    case 'RecyclingRuleChanged': {
      const { active, nextRecycleAt } = event.data
      const settings = `${turns(event.data)}, starting ${nextRecycleAt}`
      return sentence('The rule was changed', `${active ? 'active' : 'paused'}, ${settings}`)
    }
    case 'RecyclingRuleDeleted':
      return 'The rule was deleted.'
    case 'RecycleRequested':
      return 'A repost was requested.'
    case 'RecycleStarted': {
      const { postId, selections, caption } = event.data
      return sentence(`A repost started as post ${postId}, for ${receivers(selections)}`, quoted(caption))
    }
    case 'CaptionRewritten': {
      const { postId, platform } = event.data
      const caption = platform === undefined ? 'caption' : `caption for ${platform}`
      return sentence(`The AI rewrote the ${caption} of post ${postId} (${writer(event.data)})`)
    }
    case 'RecycleFailed':
      return sentence('A repost failed', event.data.error)
    case 'Recycled': {
      const { postId, active, nextRecycleAt } = event.data
      const next = active ? `the next one is due at ${nextRecycleAt}` : 'no other one is due'
      return sentence(`A repost was queued as post ${postId}, and ${next}`)
    }
  }
}

function turns(settings: {
  readonly intervalDays: number
  readonly rewriteCaption: boolean
  readonly selections: Readonly<Record<string, readonly string[]>>
}): string {
  const { intervalDays, rewriteCaption, selections } = settings
  const caption = rewriteCaption ? 'rewritten by the AI' : 'unchanged'
  return `every ${counted(intervalDays, 'day')} for ${receivers(selections)} with the caption ${caption}`
}
