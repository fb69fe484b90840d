import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The program of a thread, as source or compiled, whichever the asking file is.
 *
 * @param name of its file, without what comes after the dot
 * @param beside the `import.meta.url` of a file of the same folder
 */
export function threadProgram(name: string, beside: string): URL {
  const program = new URL(`./${name}${extname(beside)}`, beside)
  // Node 20 does not hand a process's loader of TypeScript on to its threads: they have to fetch it themselves.
  const loader = program.pathname.endsWith('.ts') ? typescriptLoader() : undefined
  if (loader === undefined) return program
  const code = `import { register } from '${loader}'; register(); await import('${program.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** From where `node --import=tsx` has it. */
function typescriptLoader(): string | undefined {
  try {
    const required = createRequire(join(process.cwd(), 'package.json')).resolve('tsx/esm/api')
    // Not what was found: from CommonJS it misses its own files.
    return new URL('index.mjs', pathToFileURL(required)).href
  } catch {
    return undefined
  }
}
