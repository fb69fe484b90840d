export const AUTHOR = /^urn:li:(?:person:[\w-]+|organization:\d+)$/

export function newOrganization(seed: string): string {
  return `urn:li:organization:${number(seed).slice(0, 9)}`
}

/** A number of 19 digits, too long for a double, as LinkedIn's are. */
export function number(seed: string): string {
  const bits = BigInt(`0x${seed.replaceAll('-', '').slice(0, 16)}`)
  return String((bits % 9_000_000_000_000_000_000n) + 1_000_000_000_000_000_000n)
}

/** A member may not read back what they posted, nor how far their media are. */
export function isMember(author: string): boolean {
  return author.startsWith('urn:li:person:')
}
