import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

export interface SourceProcess {
  /** The base URL of its API; empty without that role. */
  readonly url: string
  /** All that it has written so far, to either stream. */
  said(): string
}

/** `fanfare serve` from source, as a process of its own on a given database, killed with the test. */
export async function givenServing(
  t: Test,
  environment: { readonly DATABASE_URL: string; readonly ENCRYPTION_KEY: string } & Readonly<Record<string, string>>,
  roles = 'api,projections,reactors',
): Promise<SourceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-serving-'))
  const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import=tsx', main, 'serve', '--roles', roles], {
    env: { ...process.env, PORT: '0', SANDBOX: 'off', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said += chunk.toString()
      if (/Fanfare is running[^]*\n$/.test(said)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`it ended before it was running: ${said}`)))
  })
  return { url: /http:\/\/\S+(?=\/v1)/.exec(said)?.[0] ?? '', said: () => said }
}
