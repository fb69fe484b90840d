import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/*
 * Compiles each file of the service into the same place below `dist/`. Types are only taken out here, which is a matter of
 * a second; `npm run check` checks them.
 */

/** What is no part of the service, or none of its code. */
const LEFT_OUT = new Set(['bench', 'data', 'dist', 'docs', 'node_modules', 'test'])

const isSource = (name) => name.endsWith('.ts')
const folders = readdirSync('.', { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name),
)
const files = folders.flatMap(({ name }) => readdirSync(name, { recursive: true }).map((file) => join(name, file)))

await build({
  entryPoints: [...readdirSync('.'), ...files.filter((file) => !file.includes('node_modules'))].filter(isSource),
  outdir: 'dist',
  outbase: '.',
  platform: 'node',
  target: 'node20.18',
  format: 'esm',
  sourcemap: true,
  bundle: true,
  packages: 'external',
  plugins: [{ name: 'one file each', setup: keepApart }],
})

/** A file imports its neighbours by the names that they have in `dist/`. */
function keepApart({ onResolve }) {
  onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
    kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
  )
}
