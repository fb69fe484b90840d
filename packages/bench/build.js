import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { chdir } from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/*
 * Compiles the benchmarks and the service, one output per source file, because the benchmarks start parts of the service as
 * separate processes by file name.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
chdir(root)

/** Folders outside the service, or without its code. */
const LEFT_OUT = new Set(['data', 'dist', 'node_modules', 'test'])
const NOT_OURS = /(^|\/)(node_modules|dist)\/|^packages\/(client|dashboard)\//

const folders = readdirSync('.', { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name),
)
const files = folders.flatMap(({ name }) => readdirSync(name, { recursive: true }).map((file) => join(name, file)))
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !NOT_OURS.test(name)

await build({
  entryPoints: files.filter(isSource),
  // esbuild's default is the working directory at load time, before `chdir`.
  absWorkingDir: root,
  outdir: 'packages/bench/dist',
  outbase: '.',
  platform: 'node',
  target: 'node20.18',
  format: 'esm',
  packages: 'external',
  bundle: true,
  plugins: [{ name: 'one file each', setup: keepApart }],
})

/** Imports of neighboring files use their names in `packages/bench/dist/`. */
function keepApart({ onResolve }) {
  onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
    kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
  )
}
