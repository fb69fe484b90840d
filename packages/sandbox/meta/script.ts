/*
 * What a test asks of the stand-ins, through something that no caller sends by accident: the query of the media's URL,
 * `?sandbox=processing:5,listed-after:10`.
 */

/** What stands behind the colons of a directive, when it is asked for. */
export function directive(mediaUrl: string, name: string): readonly string[] | undefined {
  const given = new URL(mediaUrl).searchParams.get('sandbox')?.split(',') ?? []
  const found = given.map((one) => one.split(':')).find(([first]) => first === name)
  return found?.slice(1)
}

/** The number behind the first colon. */
export function amount(mediaUrl: string, name: string): number | undefined {
  const [first] = directive(mediaUrl, name) ?? []
  return first === undefined ? undefined : Number(first)
}

/** Counts how often each directive of a URL was used up, anew after a restart: `times` may be asked for. */
export function uses(): (mediaUrl: string, name: string, times: string | undefined) => boolean {
  const used = new Map<string, number>()
  return (mediaUrl, name, times) => {
    const key = `${name} ${mediaUrl}`
    const before = used.get(key) ?? 0
    used.set(key, before + 1)
    return times === undefined || before < Number(times)
  }
}
