import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { readdir, readFile } from 'node:fs/promises'
import PO from 'pofile'
import t from 'tap'

interface Text {
  readonly message: string
  readonly context: string | undefined
}
type Tokens =
  | string
  | readonly (string | readonly [name: string, type?: string, cases?: Readonly<Record<string, Tokens>>])[]

const dashboard = new URL('../packages/dashboard/', import.meta.url)
const HELP = 'run `npm run words`, and translate what is new in packages/dashboard/words'
/** Loaded as the build loads it, not bundled with the test. */
const { textsIn } = (await import(new URL('words.js', dashboard).href)) as {
  textsIn(source: string, filename: string): Promise<readonly Text[]>
}
const keyOf = ({ message, context }: Text) => (context ? `${message} [${context}]` : message)

t.test('each text of the dashboard is in the catalogue of each language, and translated', async (t) => {
  const texts = [...new Set((await textsOfSource()).map(keyOf))].sort()
  const languages = await catalogues()
  t.ok(texts.length > 0)
  t.ok(['de', 'en', 'es'].every((language) => languages.has(language)))
  for (const [language, items] of languages) {
    const found = items.filter(({ obsolete }) => !obsolete)
    t.same(found.map(asKey).sort(), texts, `${language}: ${HELP}`)
    if (language === 'en') continue
    t.same(found.filter(({ msgstr }) => !msgstr[0]).map(asKey), [], `${language}: what is not translated`)
  }
})

t.test('a translation has the values, the elements and the plurals of the original, and no others', async (t) => {
  for (const [language, items] of await catalogues()) {
    for (const { msgid, msgstr } of items) {
      if (!msgstr[0]) continue
      t.same(partsOf(msgstr[0]), partsOf(msgid), `${language}: ${msgid}`)
    }
  }
})

async function textsOfSource(): Promise<readonly Text[]> {
  const names = await readdir(dashboard, { recursive: true })
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
  const texts = await Promise.all(
    sources.map(async (name) => textsIn(await readFile(new URL(name, dashboard), 'utf8'), name)),
  )
  return texts.flat()
}

async function catalogues() {
  const folder = new URL('words/', dashboard)
  const read = async (name: string) => PO.parse(await readFile(new URL(name, folder), 'utf8')).items
  const names = await readdir(folder)
  return new Map(await Promise.all(names.map(async (name) => [name.replace('.po', ''), await read(name)] as const)))
}

function asKey({ msgid, msgctxt }: InstanceType<typeof PO.Item>): string {
  return keyOf({ message: msgid, context: msgctxt })
}

/** The names of its values, what is chosen by each, and its elements, each once: a language may need one of them twice. */
function partsOf(message: string): readonly string[] {
  const parts = new Set<string>()
  const visit = (tokens: Tokens) => {
    for (const token of [tokens].flat() as Exclude<Tokens, string>) {
      if (typeof token === 'string') for (const [tag] of token.matchAll(/<\/?\d+\/?>/g)) parts.add(tag)
      else {
        const [name, type = 'value', cases] = token
        parts.add(`${name}: ${type}`)
        if (typeof cases !== 'object') continue
        for (const each of Object.values(cases)) if (each !== undefined) visit(each)
      }
    }
  }
  visit(compileMessageOrThrow(message) as Tokens)
  return [...parts].sort()
}
