import { transformAsync } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import PO from 'pofile'

/*
 * The texts of the page: English in its source, other languages in `words/`. Messages are compiled here, so that browsers get no
 * parser for them, and English needs no catalogue.
 */

const here = import.meta.dirname
const folder = join(here, 'words')
const MACRO = /'@lingui\/(core|react)\/macro'/
const ENGLISH = 'en'
/** What the page imports of the library. */
const linguiConfig = {
  macro: { corePackage: ['@lingui/core/macro'], jsxPackage: ['@lingui/react/macro'] },
  runtimeConfigModule: { i18n: [join(here, 'parts/words.ts'), 'i18n'], Trans: [join(here, 'parts/trans.ts'), 'Trans'] },
}

/** The languages other than English: one for each catalogue. */
export const translations = readdirSync(folder)
  .map((name) => basename(name, '.po'))
  .filter((language) => language !== ENGLISH)

/** A module with its texts as calls of the library. Types stay, for esbuild to remove. */
export async function withWords(source, filename) {
  return MACRO.test(source) ? transform(source, filename, compileMessages) : source
}

/** The texts of a module, for the test of the catalogues. */
export async function textsIn(source, filename) {
  const found = []
  if (MACRO.test(source)) await transform(source, filename, [collectMessages, { found }])
  return found
}

async function transform(source, filename, plugin) {
  const { code } = await transformAsync(source, {
    filename,
    configFile: false,
    babelrc: false,
    parserOpts: { plugins: filename.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
    plugins: [[macro, { linguiConfig, stripMessageField: false, extract: true }], plugin],
  })
  return code
}

/** `words/de.po` as a module: its messages, and the component library's own words in that language. */
export function wordsOf(language) {
  const { items } = PO.parse(readFileSync(join(folder, `${language}.po`), 'utf8'))
  const messages = Object.fromEntries(
    items
      .filter(({ msgstr, obsolete }) => msgstr[0] && !obsolete)
      .map(({ msgid, msgctxt, msgstr }) => [generateMessageId(msgid, msgctxt), compileMessageOrThrow(msgstr[0])]),
  )
  const components = wordsOfComponents(language)
  return [
    components ? `export { default as components } from '${components}'` : 'export const components = undefined',
    `export const messages = ${JSON.stringify(messages)}`,
  ].join('\n')
}

function wordsOfComponents(language) {
  const library = 'react-aria-components/i18n'
  const path = dirname(createRequire(import.meta.url).resolve(library))
  const name = readdirSync(path).find((name) => name.startsWith(`${language}-`) && name.endsWith('.mjs'))
  return name && `${library}/${basename(name, '.mjs')}`
}

/** Leaves of each description of a message its id, its values, and the message, compiled. */
function compileMessages({ types }) {
  return {
    visitor: {
      CallExpression(path) {
        // A table of texts that a page does not use is left out of it.
        if (types.isIdentifier(path.node.callee.object, { name: '_i18n' })) path.addComment('leading', '#__PURE__')
      },
      ObjectExpression({ node }) {
        const described = descriptionOf(node)
        if (!described) return
        described.get('message').value = types.valueToNode(compileMessageOrThrow(described.get('message').value.value))
        node.properties = node.properties.filter(({ key }) => key.name !== 'comment' && key.name !== 'context')
      },
    },
  }
}

function collectMessages(_, { found }) {
  return {
    visitor: {
      ObjectExpression({ node }) {
        const described = descriptionOf(node)
        const textOf = (name) => described.get(name)?.value.value
        if (described) found.push({ message: textOf('message'), context: textOf('context') })
      },
    },
  }
}

/** The properties of a message's description by name, if it is one: the library marks them. */
function descriptionOf({ leadingComments, properties }) {
  if (!leadingComments?.some(({ value }) => value.trim() === 'i18n')) return undefined
  return new Map(properties.map((property) => [property.key.name, property]))
}
