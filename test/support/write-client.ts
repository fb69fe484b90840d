import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { clientTypes } from './client-types.ts'

/*
 * Writes the types of the client anew after the API has changed: `npm run client`.
 */

await writeFile(fileURLToPath(new URL('../../packages/client/api.ts', import.meta.url)), await clientTypes())
