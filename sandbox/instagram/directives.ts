/** What a media URL asks the stand-in to do, with `?sandbox=` (see ../instagram.ts). */
export interface Directives {
  /** For how many looks the container stays in progress. */
  readonly processing?: number
  /** Seconds after which the media is listed. */
  readonly listedAfter?: number
  /** The subcode that making the container is refused with, or that it fails with. */
  readonly create?: number
  readonly error?: number
}

const NAMES = { processing: 'processing', 'listed-after': 'listedAfter', create: 'create', error: 'error' } as const

/** @param used how often each failure of a URL has been used up: one may be asked for a number of times only */
export function directivesOf(mediaUrl: string, used: Map<string, number>): Directives {
  const given = new URL(mediaUrl).searchParams.get('sandbox') ?? ''
  const entries = given.split(',').flatMap((directive) => {
    const [name = '', value = '', times] = directive.split(':')
    if (!isName(name)) return []
    const key = `${mediaUrl} ${name}`
    const before = used.get(key) ?? 0
    if (times !== undefined && before >= Number(times)) return []
    if (times !== undefined) used.set(key, before + 1)
    return [[NAMES[name], Number(value)] as const]
  })
  return Object.fromEntries(entries)
}

function isName(name: string): name is keyof typeof NAMES {
  return Object.hasOwn(NAMES, name)
}
