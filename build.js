import { rm, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/*
 * Compiles the service into `dist/`. Types are only taken out here, which is a matter of a second; `npm run check` checks
 * them. A few large files start in half the time of a thousand small ones; the packages stay where npm has put them.
 */

/** What is started by its name: the command, and the programs of threads. */
const PROGRAMS = ['app/cli/main.ts', 'projections/rebuild/share-worker.ts', 'reactors/feeds/reading/feed-worker.ts']
/** All in one, so that a module finds a thread's program beside itself, as it does in its source folder. */
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
