/*
 * What a test asks of the stand-in, through something that no caller sends by accident: the query of the image's address.
 * Several are joined by a comma.
 *
 * - `?sandbox=processing:30`: not visible for so many seconds;
 * - `?sandbox=rejected`: found against the policy, once it is not processed any more;
 * - `?sandbox=listed-after:30`: in the list only after so many seconds;
 * - `?sandbox=error:denied`: refused, by one of the names in `refusal.ts`.
 */
export interface Script {
  readonly processingS: number
  readonly listedAfterS: number
  readonly ends: 'LIVE' | 'REJECTED'
  readonly error: string | undefined
}

export function scriptOf(url: string): Script {
  const asked = new URL(url).searchParams.get('sandbox')?.split(',') ?? []
  const value = (name: string) => asked.find((each) => each.startsWith(`${name}:`))?.slice(name.length + 1)
  return {
    processingS: Number(value('processing') ?? 0),
    listedAfterS: Number(value('listed-after') ?? 0),
    ends: asked.includes('rejected') ? 'REJECTED' : 'LIVE',
    error: value('error'),
  }
}
