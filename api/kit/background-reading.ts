import * as z from 'zod'
import type { AccountRow } from '../../projections/models/accounts.ts'
import type { Services } from './services.ts'

export const backgroundReadingSchema = z.object({
  isOn: z.boolean().describe('Whether comments and metrics are read on a schedule.'),
  costs: z.boolean().describe('Whether the platform charges for it. Then it is off until it is switched on.'),
})

/** How it stands with the background reading of an account. */
export function shownReading(row: AccountRow, costsOf: Services['costsOf']): z.infer<typeof backgroundReadingSchema> {
  const { platform, baseUrl, readsInBackground: decided } = row
  const costs = costsOf({ platform, baseUrl: baseUrl ?? undefined }) !== undefined
  return { isOn: decided ?? !costs, costs }
}
