/** Markup that is safe to put into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | Html | readonly Html[]

/** A template in which everything but markup is escaped. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((string, index) => string + textOf(values[index] ?? '')).join(''))
}

function textOf(value: Value): string {
  if (typeof value === 'string') return escaped(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
}

/** Whether it is a URL that a browser may open, rather than a script. */
export function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url)
}

/** For HTML and XML, in content and in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
