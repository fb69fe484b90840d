import { join } from 'node:path'
import { isUpToDate } from '../../build-inputs.js'

/* Builds the page, unless nothing has changed. */

/** What it was made of. */
const sources = join(import.meta.dirname, '../../dist/dashboard.json')

if (!(await isUpToDate(sources))) {
  // Loading the compilers takes longer than the check.
  const { bundle } = await import('./bundle.js')
  await bundle(sources)
}
