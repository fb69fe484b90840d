import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { build } from 'esbuild'
import { read, ROOT, writePackage } from './write-package.js'

/* Writes the npm package of the client: one file of code, and the declarations of all types. */

const FOLDER = join(ROOT, 'dist/client-package')
const SOURCE = join(ROOT, 'packages/client')

rmSync(FOLDER, { recursive: true, force: true })
await build({
  entryPoints: [join(SOURCE, 'index.ts')],
  outfile: join(FOLDER, 'index.js'),
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20.18',
  format: 'esm',
})
const tsc = [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '-p', join(SOURCE, 'tsconfig.json'), '--outDir', FOLDER]
execFileSync(execPath, tsc, { stdio: 'inherit' })
cpSync(join(SOURCE, 'README.md'), join(FOLDER, 'README.md'))
cpSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'))

const { name, description, type, license, engines, dependencies } = read('packages/client/package.json')
writePackage(FOLDER, {
  ...{ name, version: read('package.json').version, description, license, type, engines },
  exports: { types: './packages/client/index.d.ts', default: './index.js' },
  dependencies,
})
