import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isUpToDate } from '../../build-inputs.js'

/* Builds the page, unless nothing has changed. */

const dist = join(import.meta.dirname, '../../dist')
/** What the page was made of: beside it, as all that is in its folder is served. */
const sources = join(dist, 'dashboard.json')

if (!existsSync(join(dist, 'dashboard/index.html')) || !(await isUpToDate(sources))) {
  // Loading the compilers takes longer than the check.
  const { bundle } = await import('./bundle.js')
  await bundle(sources)
}
