import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The program of a thread, as source or compiled, like the calling file.
 *
 * @param name of its file, without the extension
 * @param beside the `import.meta.url` of a file in the same folder
 */
export function threadProgram(name: string, beside: string): URL {
  const program = new URL(`./${name}${extname(beside)}`, beside)
  // Node 20 does not pass the process's TypeScript loader on to its threads: each thread has to register it.
  const loader = program.pathname.endsWith('.ts') ? typescriptLoader() : undefined
  if (loader === undefined) return program
  const code = `import { register } from '${loader}'; register(); await import('${program.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** The loader that `node --import=tsx` uses. */
function typescriptLoader(): string | undefined {
  try {
    const required = createRequire(join(process.cwd(), 'package.json')).resolve('tsx/esm/api')
    // Not the resolved file itself: as CommonJS it cannot find its own files.
    return new URL('index.mjs', pathToFileURL(required)).href
  } catch {
    return undefined
  }
}
