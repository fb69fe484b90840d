import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { context } from 'esbuild'

/*
 * A test loads some six hundred files of the service. Bundled, they are a few that all test files share; packages stay where
 * npm has put them, each as the file that imports it would find it.
 */

const FOLDER = 'dist'

/**
 * Compiles test files, named relative to `test/`, into `test/dist/`; what they share is there once. With `watch`, again
 * whenever a source changes, until interrupted.
 *
 * @param then called after each time
 */
export async function compile({ files, workers, watch, then }) {
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER)
  for (const worker of workers) {
    await writeFile(join(FOLDER, worker), "import { runFiles } from '../worker.js'\nawait runFiles()\n")
  }
  const compiler = await context({
    absWorkingDir: import.meta.dirname,
    entryPoints: files,
    outdir: FOLDER,
    outbase: '.',
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node20.18',
    format: 'esm',
    // Those by which Node.js looks for an import; "module" would be another copy of a package.
    conditions: ['node', 'import'],
    bundle: true,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [
      { name: 'as from source', setup: asFromSource },
      { name: 'then', setup: ({ onEnd }) => onEnd(({ errors }) => (errors.length === 0 ? then() : undefined)) },
    ],
  })
  if (watch) {
    await compiler.watch()
    await new Promise((resolve) => process.once('SIGINT', resolve))
  } else await compiler.rebuild()
  await compiler.dispose()
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
