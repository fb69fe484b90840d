import { execFile, spawn } from 'node:child_process'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { until } from './service-process.ts'

export interface LocalSnac {
  readonly url: string
  /** A name of lower-case letters and digits. */
  createAccount(name: string): Promise<{ readonly name: string; readonly password: string }>
  close(): Promise<void>
}

/** The program of a real server with Mastodon's API; undefined where there is none. */
export async function snacProgram(): Promise<string | undefined> {
  const { FANFARE_TEST_SNAC: given, PATH = '' } = process.env
  const candidates = given === undefined ? PATH.split(delimiter).map((folder) => join(folder, 'snac')) : [given]
  for (const candidate of candidates) {
    if (
      await access(candidate).then(
        () => true,
        () => false,
      )
    )
      return candidate
  }
  if (given !== undefined) throw new Error(`FANFARE_TEST_SNAC: there is no ${given}`)
  return undefined
}

/** https://codeberg.org/grunfink/snac2, in a folder of its own. */
export async function startSnac(program: string): Promise<LocalSnac> {
  const directory = await mkdtemp(join(tmpdir(), 'fanfare-snac-'))
  const data = join(directory, 'data')
  const port = await freePort()
  const run = promisify(execFile)
  const initializing = run(program, ['init', data])
  initializing.child.stdin?.end(`127.0.0.1\n${port}\n127.0.0.1:${port}\n\n\n`)
  await initializing
  const settings = join(data, 'server.json')
  const known = JSON.parse(await readFile(settings, 'utf8')) as object
  await writeFile(settings, JSON.stringify({ ...known, protocol: 'http' }))

  const server = spawn(program, ['httpd', data], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until('the server answers', 10_000, () =>
    fetch(`${url}/api/v1/instance`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  )
  return {
    url,
    createAccount: async (name) => {
      const adding = run(program, ['adduser', data, name])
      adding.child.stdin?.end()
      const { stdout, stderr } = await adding
      const password = /User password is (\S+)/.exec(stdout + stderr)?.[1]
      if (password === undefined) throw new Error(`no account was made: ${stdout}${stderr}`)
      return { name, password }
    },
    close: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
