/** Languages in which feeds write month names. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'fi', 'pl', 'cs', 'ru', 'uk', 'tr']

let known: ReadonlyMap<string, number> | undefined

/** 1 to 12, from a month's name or abbreviation. */
export function monthNumber(name: string): number | undefined {
  known ??= monthNames()
  return known.get(bare(name))
}

function monthNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const language of LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      // Format with a day: some languages then inflect the month.
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' })
      for (let index = 0; index < 12; index += 1) {
        const parts = format.formatToParts(Date.UTC(2026, index, 1))
        const name = bare(parts.find(({ type }) => type === 'month')?.value ?? '')
        for (const variant of [name, name.slice(0, 3)]) if (!names.has(variant)) names.set(variant, index + 1)
      }
    }
  }
  return names
}

function bare(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
}
