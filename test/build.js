import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { context } from 'esbuild'
import { withWords } from '../packages/dashboard/words.js'

/*
 * A test loads about six hundred files of the service. Bundling reduces them to a few shared by all test files; packages stay in
 * `node_modules`, resolved from the importing file.
 */

const FOLDER = 'dist'

/**
 * Compiles test files, named relative to `test/`, into `test/dist/` with shared code only once. With `watch`, compiles again
 * whenever a source changes, until interrupted.
 *
 * @param workers the programs that run the files: their names, and the files that each may run
 * @param then called after each successful build
 */
export async function compile({ files, workers, watch, then }) {
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER)
  for (const { name, files } of workers) {
    const program = `import { runFiles } from '../worker.js'\nawait runFiles(${JSON.stringify(files)})\n`
    await writeFile(join(FOLDER, name), program)
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
    // The conditions that Node.js uses for an import; "module" would load a second copy of a package.
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
    // Keeps paths relative to the source file, not the bundle.
    const placed = source.replaceAll('import.meta.url', `'${pathToFileURL(path)}'`)
    return { contents: await withWords(placed, path), loader: 'ts' }
  })
  onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
    if (kind === 'entry-point' || pluginData === FOLDER) return undefined
    if (isBuiltin(path)) return { path, external: true }
    const found = await resolve(path, { kind, resolveDir, pluginData: FOLDER })
    // A missing optional package must fail when imported, not at build time.
    return { path: found.errors.length > 0 ? path : found.path, external: true }
  })
}
