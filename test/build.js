import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/*
 * A test loads some six hundred files of the service, and each is asked for by itself when TypeScript is taken out on the
 * way. Bundled, a test file is one; packages stay where npm has put them, each as the file that imports it would find it.
 */

export const FOLDER = 'dist'

/** Compiles test files, named relative to `test/`, into `test/dist/`. @returns the compiled files */
export async function compile(files) {
  await build({
    entryPoints: files,
    outdir: FOLDER,
    outbase: '.',
    platform: 'node',
    target: 'node20.18',
    format: 'esm',
    // Those by which Node.js looks for an import; "module" would be another copy of a package.
    conditions: ['node', 'import'],
    bundle: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [{ name: 'as from source', setup: asFromSource }],
  })
  return files.map((file) => join(FOLDER, file.replace(/\.ts$/, '.js')))
}

function asFromSource({ onLoad, onResolve, resolve }) {
  onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const source = await readFile(path, 'utf8')
    // Files beside it are found from where it stands.
    return { contents: source.replaceAll('import.meta.url', `'${pathToFileURL(path)}'`), loader: 'ts' }
  })
  onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
    if (kind === 'entry-point' || pluginData === FOLDER) return undefined
    if (isBuiltin(path)) return { path, external: true }
    const found = await resolve(path, { kind, resolveDir, pluginData: FOLDER })
    // An optional package that is not installed is missed when it is asked for.
    return { path: found.errors.length > 0 ? path : found.path, external: true }
  })
}
