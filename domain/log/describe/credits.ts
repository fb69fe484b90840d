import type { CreditsEvent } from '../../video/credits.ts'
import { counted, quoted, sentence } from './wording.ts'

const CAUSE = { failed: 'it failed', deleted: 'it was deleted' } as const

const credits = (amount: number) => counted(amount, 'credit')

export function describeCredits(event: CreditsEvent): string {
  const left = event.data.balance === 1 ? '1 remains' : `${event.data.balance} remain`
  switch (event.type) {
    case 'CreditsGranted':
      return sentence(`Granted ${credits(event.data.amount)}, ${left}`, quoted(event.data.reason))
    case 'CreditsCharged':
      return sentence(`Charged ${credits(event.data.amount)} for video ${event.data.videoId}, ${left}`)
    case 'CreditsRefunded': {
      const { videoId, cause, amount } = event.data
      return sentence(`Refunded ${credits(amount)} for video ${videoId} because ${CAUSE[cause]}, ${left}`)
    }
    case 'CreditsClosed': {
      const { granted, charged, refunded, entries } = event.data
      const sums = `${granted} granted, ${charged} charged and ${refunded} refunded`
      return sentence(`Closed the books after ${counted(entries, 'entry', 'entries')}: ${sums}, ${left}`)
    }
  }
}
