import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Below the ports that systems give to outgoing connections: none of those can take a port while its server is restarted. */
const [FIRST, LAST] = [10_000, 32_000]
/** The folder that the processes of a test run share; absent outside a run. */
const shared = process.env['FANFARE_TEST_QUEUE']
const reserved = new Set<number>()

/** A free port, which no other test of the run receives, also while nothing listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (reserve(port) && (await isFree(port))) return port
  }
}

function reserve(port: number): boolean {
  if (reserved.has(port)) return false
  reserved.add(port)
  if (shared === undefined) return true
  try {
    mkdirSync(join(shared, `port-${port}`))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
