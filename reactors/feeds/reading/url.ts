/** Beyond that no platform and few servers go. */
const MAX_LENGTH = 2_048

/** The http(s) address that is meant, or undefined: for nothing, for another scheme, for more than 2,048 characters. */
export function absoluteUrl(value: string | undefined, base: string): string | undefined {
  const reference = value?.trim() ?? ''
  if (reference === '' || reference.length > MAX_LENGTH || !URL.canParse(reference, base)) return undefined
  const { protocol, href } = new URL(reference, base)
  return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_LENGTH ? href : undefined
}
