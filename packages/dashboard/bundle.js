import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { noteInputs } from '../../build-inputs.js'
import { translations, withWords, wordsOf } from './words.js'

/*
 * Bundles the page into `dist/dashboard/`: one file per page, names with content hashes, and each file also precompressed for
 * browsers.
 */

const here = dirname(fileURLToPath(import.meta.url))
/** There must be one React, wherever npm puts it: a development tool brings another version. */
const { resolve } = createRequire(import.meta.url)
const react = Object.fromEntries(['react', 'react-dom'].map((name) => [name, dirname(resolve(`${name}/package.json`))]))
const target = join(here, '../../dist/dashboard')
/** The only locale kept in the components themselves; the catalogues bring the others. */
const LANGUAGE = 'en-US'
const WORDS = /\/intl\/(.+\/)?[a-z]{2}-[A-Z]{2}\.m?js$/
const COMPONENTS = 'react-aria-components'
const IMPORT = new RegExp(`import \\{([^}]*)\\} from '${COMPONENTS}'`, 'g')
const fileOf = await filesOfComponents()
const PACKED = /\.(js|css|html|svg)$/
const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)]

/** @param sources where to note what the page was made of */
export async function bundle(sources) {
  const since = Date.now()

  const { metafile, outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: ['main.ts'],
    outdir: target,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    // The styles of one page, which it loads itself: the first page does without.
    loader: { '.page.css': 'file' },
    publicPath: '/',
    metafile: true,
    write: false,
    alias: react,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      { name: 'one language', setup: keepOneLanguage },
      { name: 'source', setup: prepareSource },
      { name: 'words', setup: offerWords },
    ],
  })
  await rm(target, { recursive: true, force: true })
  await mkdir(join(target, 'assets'), { recursive: true })
  for (const { path, contents } of outputFiles) await writeFile(path, contents)

  const outputOf = (source) => Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source)
  const [script, { cssBundle, imports: early }] = outputOf('main.ts')
  const [start, { imports }] = outputOf('start.tsx')
  const asset = (path) => `/${path.slice(path.indexOf('assets/'))}`
  const template = await readFile(join(here, 'index.html'), 'utf8')
  // The script waits for the language; the browser loads what comes then at the same time.
  const soon = [
    start,
    ...[...early, ...imports].filter(({ kind }) => kind === 'import-statement').map(({ path }) => path),
  ]
  const ahead = [...new Set(soon)].map((path) => `<link rel="modulepreload" href="${asset(path)}" />`).join('\n    ')
  const page = template
    .replace('SCRIPT', asset(script))
    .replace('STYLES', asset(cssBundle))
    .replace('<!-- AHEAD -->', ahead)
  await writeFile(join(target, 'index.html'), page)
  // Its name says from where on it works for all pages, so it has no hash.
  const { metafile: worker } = await build({
    absWorkingDir: here,
    entryPoints: ['push-worker.ts'],
    outdir: target,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    metafile: true,
  })
  await writeFile(join(target, 'icon.svg'), await readFile(join(here, 'icon.svg')))

  await Promise.all((await readdir(target, { recursive: true })).filter((name) => PACKED.test(name)).map(pack))
  const inputs = [metafile, worker].flatMap(({ inputs }) => Object.keys(inputs))
  // The packages are those of the lock file. Catalogues are none of the bundler's files.
  const own = inputs.filter((path) => !path.includes('node_modules/') && !path.includes(':'))
  const others = ['bundle.js', 'words.js', 'words', 'index.html', 'icon.svg', '../../package-lock.json']
  const paths = [...own, ...others, ...translations.map((language) => `words/${language}.po`)]
  await noteInputs(
    sources,
    since,
    paths.map((path) => join(here, path)),
  )
}

async function pack(name) {
  const content = await readFile(join(target, name))
  await writeFile(join(target, `${name}.gz`), await gzipped(content, { level: 9 }))
  await writeFile(join(target, `${name}.br`), await brotlied(content))
}

/** The component library ships thirty languages in each component, which need one. */
function keepOneLanguage({ onLoad }) {
  onLoad({ filter: WORDS }, ({ path }) =>
    path.includes(LANGUAGE) ? undefined : { contents: 'export default {}', loader: 'js' },
  )
}

/** The page's own modules, with their texts looked up. */
function prepareSource({ onLoad }) {
  onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
    const contents = await withWords(importEach(await readFile(path, 'utf8')), path)
    return { loader: path.endsWith('x') ? 'tsx' : 'ts', contents }
  })
}

/** Each component from a file of its own: with the index of them all, the first page would load what any page uses. */
function importEach(source) {
  return source.replace(IMPORT, (_, list) => {
    const imports = list.split(',').filter((entry) => entry.trim() !== '' && !/^\s*type /.test(entry))
    return imports
      .map((entry) => `import {${entry}} from '${COMPONENTS}/${fileOf.get(/\w+/.exec(entry)[0])}'`)
      .join(';')
  })
}

/** The translations, each a file that is loaded only for its language. */
function offerWords({ onResolve, onLoad }) {
  onResolve({ filter: /^catalogues$/ }, ({ path }) => ({ path, namespace: 'words' }))
  onResolve({ filter: /\.po$/ }, ({ path }) => ({ path, namespace: 'words' }))
  onLoad({ filter: /^catalogues$/, namespace: 'words' }, () => {
    const entries = translations.map((language) => `${JSON.stringify(language)}: () => import('${language}.po')`)
    return { contents: `export const catalogues = { ${entries.join(', ')} }` }
  })
  onLoad({ filter: /\.po$/, namespace: 'words' }, ({ path }) => {
    return { contents: wordsOf(path.replace(/\.po$/, '')), resolveDir: here }
  })
}

/** The smallest file that exports each of the components. */
async function filesOfComponents() {
  const folder = dirname(fileURLToPath(import.meta.resolve(COMPONENTS)))
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs') && name !== 'index.mjs')
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
  )
  const found = new Map()
  for (const { name, text } of files.toSorted((a, b) => b.text.length - a.text.length)) {
    for (const [, component] of text.matchAll(/ as (\w+)/g)) found.set(component, name.slice(0, -'.mjs'.length))
  }
  return found
}
