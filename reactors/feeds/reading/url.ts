/** No platform and few servers accept more. */
const MAX_LENGTH = 2_048

/** The absolute http(s) URL; undefined if the value is empty, has another scheme, or exceeds 2,048 characters. */
export function absoluteUrl(value: string | undefined, base: string): string | undefined {
  const reference = value?.trim() ?? ''
  if (reference === '' || reference.length > MAX_LENGTH || !URL.canParse(reference, base)) return undefined
  const { protocol, href } = new URL(reference, base)
  return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_LENGTH ? href : undefined
}
