import { rm, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/*
 * Compiles the service into `dist/`. This only strips types, which takes about a second; `npm run check` checks them. A few large
 * files start twice as fast as a thousand small ones; packages stay in `node_modules`.
 */

/** Entry points: the command, and the programs of worker threads. */
const PROGRAMS = ['app/cli/main.ts', 'projections/rebuild/share-worker.ts', 'reactors/feeds/reading/feed-worker.ts']
/** One folder for all, so that a module finds its worker's program beside itself, as in the source folder. */
const FOLDER = 'dist/cli'

const { metafile } = await build({
  entryPoints: PROGRAMS,
  outdir: FOLDER,
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node20.18',
  format: 'esm',
  packages: 'external',
  bundle: true,
  splitting: true,
  sourcemap: true,
  metafile: true,
})

for (const name of await readdir(FOLDER)) {
  const file = join(FOLDER, name)
  if (!(file in metafile.outputs)) await rm(file, { recursive: true })
}
