/*
 * Directives for the stand-ins, in a place that no real caller uses: the query of the media's URL,
 * `?sandbox=processing:5,listed-after:10`.
 */

/** The arguments of a directive, split at its colons; undefined when the URL does not have it. */
export function directive(mediaUrl: string, name: string): readonly string[] | undefined {
  // Text alone has no URL.
  const query = mediaUrl === '' ? undefined : new URL(mediaUrl).searchParams
  const given = query?.get('sandbox')?.split(',') ?? []
  const found = given.map((one) => one.split(':')).find(([first]) => first === name)
  return found?.slice(1)
}

/** The directive's first argument, as a number. */
export function amount(mediaUrl: string, name: string): number | undefined {
  const [first] = directive(mediaUrl, name) ?? []
  return first === undefined ? undefined : Number(first)
}

/** Counts how often each directive of a URL was used, because `times` may limit it. Counts are lost on restart. */
export function uses(): (mediaUrl: string, name: string, times: string | undefined) => boolean {
  const used = new Map<string, number>()
  return (mediaUrl, name, times) => {
    const key = `${name} ${mediaUrl}`
    const before = used.get(key) ?? 0
    used.set(key, before + 1)
    return times === undefined || before < Number(times)
  }
}
