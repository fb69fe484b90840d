/*
 * Directives for the stand-in, in a place that no real caller uses: the query of the image's URL. Several are separated by
 * commas.
 *
 * - `?sandbox=processing:30`: not visible for this many seconds;
 * - `?sandbox=rejected`: rejected for violating the policy, once processed;
 * - `?sandbox=listed-after:30`: listed only after this many seconds;
 * - `?sandbox=error:denied`: refused with one of the named errors in `refusal.ts`.
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
