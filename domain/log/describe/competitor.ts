import type { CompetitorEvent } from '../../analytics/competitor.ts'
import { numbered, quoted, sentence, SUMMARIZED } from './wording.ts'

export function describeCompetitor(event: CompetitorEvent): string {
  switch (event.type) {
    case 'CompetitorSummarized':
      return SUMMARIZED
    case 'CompetitorAdded': {
      const { handle, label, platform, accountId } = event.data
      return sentence(`${handle} on ${platform} was added, checked through account ${accountId}`, quoted(label))
    }
    case 'CompetitorLooked': {
      const { accountId, handle, label: _, workspaceId: _of, ...figures } = event.data
      return sentence(`${handle} was checked through account ${accountId}`, numbered(figures))
    }
    case 'CompetitorLookFailed':
      return sentence('A check failed', event.data.error)
    case 'CompetitorFiguresErased':
      return sentence(`What was read before ${event.data.before} was erased`)
    case 'PersonalDataErased':
      return 'The figures of the competitor were erased.'
    case 'CompetitorRemoved':
      return 'The competitor was removed.'
  }
}
