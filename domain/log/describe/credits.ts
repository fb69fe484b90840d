import type { CreditsEvent } from '../../video/credits.ts'
import { counted, quoted, sentence } from './wording.ts'

const CAUSE = { failed: 'it failed', deleted: 'it was deleted' } as const

export function describeCredits(event: CreditsEvent): string {
  const credits = counted(event.data.amount, 'credit')
  const left = event.data.balance === 1 ? '1 remains' : `${event.data.balance} remain`
  switch (event.type) {
    case 'CreditsGranted':
      return sentence(`Granted ${credits}, ${left}`, quoted(event.data.reason))
    case 'CreditsCharged':
      return sentence(`Charged ${credits} for video ${event.data.videoId}, ${left}`)
    case 'CreditsRefunded': {
      const { videoId, cause } = event.data
      return sentence(`Refunded ${credits} for video ${videoId} because ${CAUSE[cause]}, ${left}`)
    }
  }
}
