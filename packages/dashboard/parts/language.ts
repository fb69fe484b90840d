import { catalogues } from 'catalogues'
import { keep, kept } from './kept.ts'
import { i18n } from './words.ts'

const STORED_AS = 'fanfare-language'
const ENGLISH = 'en'

/** Each by its own name. */
export const LANGUAGES = [ENGLISH, ...Object.keys(catalogues)].map((value) => ({ value, label: nameOf(value) }))

/** The user's choice, or else the first of the browser's languages that there is. */
export function chosenLanguage(): string {
  const wanted = [kept(STORED_AS), ...navigator.languages.map(languageOf)]
  return wanted.find((language) => LANGUAGES.some(({ value }) => value === language)) ?? ENGLISH
}

/** Texts are looked up as modules are loaded, too: all of them are loaded again. */
export function keepLanguage(language: string): void {
  keep(STORED_AS, language)
  location.reload()
}

/** Loads the chosen language, before any module that has texts. English is in those modules. */
export async function activateLanguage(): Promise<void> {
  const chosen = chosenLanguage()
  // Without it, the page is still of use.
  const catalogue = await catalogues[chosen]?.().catch(() => undefined)
  const language = catalogue ? chosen : ENGLISH
  const locale = navigator.languages.find((name) => languageOf(name) === language) ?? language
  i18n.load(language, catalogue?.messages ?? {})
  i18n.activate(language, locale)
  document.documentElement.lang = language
  // Where the component library looks, instead of at the browser's language.
  Object.assign(window, {
    [Symbol.for('react-aria.i18n.locale')]: locale,
    [Symbol.for('react-aria.i18n.strings')]: catalogue?.components,
  })
}

/** Undefined for what is no language tag: some browsers on Linux call theirs `en-US@posix`. */
function languageOf(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).language
  } catch {
    return undefined
  }
}

function nameOf(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1)
}
