import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import * as z from 'zod'
import { startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { checkedFetch } from './document.ts'
import { runCommand, startProcess, type Home } from './service-process.ts'

const keySchema = z.object({ key: z.string() })
const accountsSchema = z.object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
const queuedSchema = z.object({ runId: z.string() })
const postSchema = z.object({ status: z.string() })

/** Queues image posts on Bluesky and X, each with a caption of its own, and asks for what became of them. */
export async function givenPosts(home: Home) {
  const made = await runCommand(home, ['keys', 'create', '--workspace', 'demo', '--scopes', 'all', '--json'])
  const { key } = keySchema.parse(JSON.parse(made.stdout))
  const call = async (method: string, path: string, body?: object) => {
    const response = await checkedFetch(`http://127.0.0.1:${home.port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return (await response.json()) as unknown
  }
  const { accounts } = accountsSchema.parse(await call('GET', '/accounts'))
  const selections = Object.fromEntries(['bluesky', 'x'].map((platform) => [platform, [accounts[platform]?.[0]?.id]]))
  const mediaUrl = `http://127.0.0.1:${home.sandboxPort}/media/sample.jpg`
  return {
    post: async (caption: string): Promise<string> =>
      queuedSchema.parse(await call('POST', '/posts', { mediaUrl, mediaType: 'image', caption, selections })).runId,
    status: async (id: string): Promise<string> => postSchema.parse(await call('GET', `/posts/${id}`)).status,
  }
}

/** Runs statements on the database of a data folder, also while no service runs on it. */
export async function inDatabase<T extends pg.QueryResultRow>(dataDir: string, sql: string): Promise<readonly T[]> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, clock: systemClock })
  const client = new pg.Client({ connectionString: postgres.connectionString })
  try {
    await client.connect()
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
    await postgres.stop()
  }
}

/** All of the log up to a position, as text. */
export async function eventsUpTo(dataDir: string, position = '9223372036854775807'): Promise<readonly string[]> {
  const sql = `select e::text as event from log.events e where position <= ${position} order by position`
  return (await inDatabase<{ event: string }>(dataDir, sql)).map(({ event }) => event)
}

/** Starts the service; it is killed in the end. `stop` ends it as SIGTERM does. */
export async function givenService(t: Test, home: Home) {
  const service = startProcess(home)
  t.teardown(() => service.child.kill('SIGKILL'))
  await service.ready
  return {
    output: service.output,
    stop: async () => {
      service.child.kill('SIGTERM')
      await service.ended
    },
  }
}

export async function changeManifest(folder: string, change: (manifest: Manifest) => unknown): Promise<void> {
  const path = join(folder, 'manifest.json')
  const manifest = manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  change(manifest)
  await writeFile(path, JSON.stringify(manifest))
}

const manifestSchema = z
  .object({
    format: z.number(),
    level: z.string(),
    files: z.array(
      z
        .object({
          name: z.string(),
          table: z
            .object({ rows: z.number(), columns: z.array(z.string()) })
            .passthrough()
            .optional(),
        })
        .passthrough(),
    ),
  })
  .passthrough()
type Manifest = z.infer<typeof manifestSchema>
