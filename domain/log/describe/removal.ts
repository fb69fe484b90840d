import { PLATFORM_NAMES } from '../../core/platform.ts'
import type { RemovalEvent } from '../../account/removal.ts'
import { counted, sentence } from './wording.ts'

export function describeRemoval(event: RemovalEvent): string {
  if (event.type === 'RemovalFinished') return 'The accounts were removed.'
  const { platform, accountIds, erases } = event.data
  const what = erases ? 'asked for the deletion of their data' : 'removed the app'
  return sentence(`Somebody ${what} on ${PLATFORM_NAMES[platform]}`, counted(accountIds.length, 'account'))
}
