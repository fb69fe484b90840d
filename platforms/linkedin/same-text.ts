/** Whether two texts read the same. LinkedIn trims texts and normalizes line breaks. */
export function sameText(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

/** Whether a text that LinkedIn shows may be this one: LinkedIn may replace long URLs with short ones of its own. */
export function mayShow(shown: string, given: string): boolean {
  if (sameText(shown, given)) return true
  return shown.includes('https://lnkd.in/') && sameText(withoutAddresses(shown), withoutAddresses(given))
}

function withoutAddresses(text: string): string {
  return text.replaceAll(/https?:\/\/\S+/g, 'https://')
}

function plain(text: string): string {
  return text.normalize().replaceAll(/\s+/g, ' ').trim()
}
