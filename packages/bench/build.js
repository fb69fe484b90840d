import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { chdir, cwd } from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/*
 * Compiles the benchmarks, and the service file by file beside them, as they run its parts in processes of their own and
 * find each by its name.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
chdir(root)

/** What is no part of the service, or none of its code. */
const LEFT_OUT = new Set(['data', 'dist', 'docs', 'node_modules', 'test'])
const NOT_OURS = /(^|\/)(node_modules|dist)\/|^packages\/(client|dashboard)\//

const folders = readdirSync('.', { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name),
)
const files = folders.flatMap(({ name }) => readdirSync(name, { recursive: true }).map((file) => join(name, file)))
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !NOT_OURS.test(name)

await build({
  // Its own default is where the process was when it was loaded.
  absWorkingDir: cwd(),
  entryPoints: files.filter(isSource),
  // It has kept the folder that it was loaded in.
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

/** A file imports its neighbours by the names that they have in `packages/bench/dist/`. */
function keepApart({ onResolve }) {
  onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
    kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
  )
}
