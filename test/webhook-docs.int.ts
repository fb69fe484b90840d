import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { verify, verifyBody } from '../docs/webhooks/verify.ts'
import { streamName, type RecordedEvent } from '../domain/core/event.ts'
import { postFormat } from '../domain/post/post-events.ts'
import { post } from '../domain/post/post.ts'
import { bodyOf, DELIVERED_EVENTS, publicEvents, type PublicEvent } from '../domain/webhook/public-event.ts'
import { webhookHeaders } from '../reactors/webhooks/webhook-signature.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { publishedDocument } from './support/document.ts'
import { httpServer, until } from './support/outbound-servers.ts'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const textOf = (path: string) => readFile(join(docs, path), 'utf8')
const hasPython = spawnSync('python3', ['--version']).status === 0
const withPython = { skip: !hasPython && 'needs python3' }
/** None of the compiled files that Python puts beside what it imports. */
const PYTHON = { PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: join(docs, 'webhooks') }

const vectorSchema = z.object({
  name: z.string(),
  secrets: z.array(z.string()),
  now: z.number().int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  verify: z.boolean(),
  verifyBody: z.boolean(),
  signedBy: z.array(z.string()).optional(),
})
const readVectors = async () =>
  z.object({ vectors: z.array(vectorSchema) }).parse(JSON.parse(await textOf('webhooks/vectors.json'))).vectors

const NO_SECRETS = ['', 'undefined', 'whsec_', 'whsec_dG9vIHNob3J0', `${'A'.repeat(43)}=`, `whsec_${' '.repeat(44)}`]
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`

/** What Python code prints, as JSON, given something as JSON. */
async function inPython(code: string, input: unknown): Promise<unknown> {
  const child = spawn('python3', ['-c', `import json, sys\nfrom verify import verify, verify_body\n${code}`], {
    env: { ...process.env, ...PYTHON },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(input))
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

t.test('given the vectors', async (t) => {
  const vectors = await readVectors()
  const expected = vectors.map(({ name, verify, verifyBody }) => ({ name, verify, verifyBody }))

  await t.test('then each is of one kind, and there are enough of every kind', async (t) => {
    t.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length)
    for (const key of ['verify', 'verifyBody'] as const) {
      t.ok(vectors.filter((vector) => vector[key]).length >= 15, `${key}: right`)
      t.ok(vectors.filter((vector) => !vector[key]).length >= 15, `${key}: wrong`)
    }
  })

  await t.test('then the sample in TypeScript accepts valid signatures only', async (t) => {
    for (const { name, secrets, headers, body, now, ...expected } of vectors) {
      const bytes = Buffer.from(body)
      t.equal(verify(secrets, headers, bytes, now), expected.verify, name)
      t.equal(verifyBody(secrets, headers, bytes), expected.verifyBody, `${name}: the body`)
    }
    for (const secret of NO_SECRETS) {
      t.throws(() => verify([SECRET, secret], {}, Buffer.of()), /not the secret/, `refuses the secret "${secret}"`)
      t.throws(() => verifyBody(secret, {}, Buffer.of()), /not the secret/)
    }
  })

  await t.test('then the sample in Python accepts valid signatures only', withPython, async (t) => {
    const told = await inPython(
      `print(json.dumps([{
  "name": it["name"],
  "verify": verify(it["secrets"], it["headers"], it["body"].encode(), it["now"]),
  "verifyBody": verify_body(it["secrets"], it["headers"], it["body"].encode()),
} for it in json.load(sys.stdin)]))`,
      vectors,
    )
    t.same(told, expected)
    const refused = await inPython(
      `def refuses(check, secrets):
  try:
    check(secrets, {}, b"")
  except ValueError:
    return True
print(json.dumps([[refuses(verify, [known, it]), refuses(verify_body, it)] for known, it in json.load(sys.stdin)]))`,
      NO_SECRETS.map((secret) => [SECRET, secret]),
    )
    t.same(
      refused,
      NO_SECRETS.map(() => [true, true]),
    )
  })

  await t.test('then the service signs as the right ones are signed', async (t) => {
    const sent = vectors.filter(({ signedBy }) => signedBy !== undefined)
    t.ok(sent.length >= 15)
    for (const { name, headers, body, signedBy = [] } of sent) {
      const message = {
        id: headers['webhook-id'] ?? '',
        event: headers['X-Service-Event'] ?? '',
        body,
        sentAt: Number(headers['webhook-timestamp']) * 1000 + 999,
      }
      t.same(webhookHeaders(message, signedBy, 'X-Service'), headers, name)
    }
  })
})

/** The headers of a delivery as the service sends it. */
function signed(body: string, { secret = SECRET, sentAt = Date.now(), id = 'dlv_1' } = {}): Record<string, string> {
  return { ...webhookHeaders({ id, event: 'post.published', body, sentAt }, [secret], 'X-Service') }
}

interface Sample {
  readonly output: () => string
  readonly ended: Promise<unknown>
}

/** A sample as its user starts it. It is killed with the test. */
function startSample(t: Test, name: string, environment: Readonly<Record<string, string>>): Sample {
  const path = join(docs, 'webhooks', name)
  const [command, ...args] = name.endsWith('.py') ? ['python3', path] : [process.execPath, '--import=tsx', path]
  const child = spawn(command ?? '', args, {
    env: { ...process.env, ...PYTHON, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code]) => code as unknown)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let output = ''
  const read = (chunk: Buffer) => void (output += chunk.toString())
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  return { output: () => output, ended }
}

for (const name of ['receiver.ts', 'receiver.py']) {
  t.test(`given the sample ${name}`, name.endsWith('.py') ? withPython : {}, async (t) => {
    const sample = startSample(t, name, { WEBHOOK_SECRET: `${OTHER_SECRET},${SECRET}`, PORT: '0' })
    // A line can arrive in pieces.
    const port = () => /"port": ?(\d+)\D.*\n/.exec(sample.output())?.[1]
    await until(() => port() !== undefined, 20_000)
    const post = async (headers: Record<string, string>, body: string) =>
      (await fetch(`http://127.0.0.1:${port()}/`, { method: 'POST', headers, body })).status
    const received = () => [...sample.output().matchAll(/^received (.*)\n/gm)].map(([, json = '']) => JSON.parse(json))
    const event = (n: number) => ({
      id: `evt_${n}`,
      event: 'post.published',
      createdAt: '',
      data: { caption: 'Zoë 東京' },
    })
    const body = JSON.stringify(event(1))

    await t.test('when what arrives is forged, old or too long, then it is refused', async (t) => {
      const forged = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
      t.equal(await post(signed(body, { secret: forged }), body), 401, 'another secret')
      t.equal(await post(signed(body), JSON.stringify(event(2))), 401, 'another body')
      t.equal(await post(signed(body, { sentAt: Date.now() - 310_000 }), body), 401, 'a recording')
      t.equal(await post({}, body), 401, 'not signed')
      t.equal(await post(signed(body), 'x'.repeat(1_000_001)), 413)
    })

    await t.test('when a delivery comes twice, then both are answered and one is worked on', async (t) => {
      t.equal(await post(signed(body), body), 204)
      t.equal(await post(signed(body, { secret: OTHER_SECRET }), body), 204)
      const last = JSON.stringify(event(3))
      t.equal(await post(signed(last, { id: 'dlv_3' }), last), 204)
      await until(() => received().length > 1)
      t.same(received(), [event(1), event(3)])
    })

    await t.test('when it has no secret, then it does not start', async (t) => {
      const without = startSample(t, name, { WEBHOOK_SECRET: '', PORT: '0' })
      t.equal(await without.ended, 1)
      t.match(without.output(), /not the secret of a webhook/)
    })
  })
}

t.test('given the sample pull.ts, then it continues where it was, and handles every event', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'fanfare-pull-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const asked: string[] = []
  const server = await httpServer(t, (request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://localhost')
    const after = searchParams.get('after') ?? 'start'
    asked.push(`${pathname} ${after} ${request.headers.authorization}`)
    if (asked.length === 2) return void response.writeHead(500).end('{"error":{"code":"internal_error"}}')
    const page = after === 'start' ? { events: [{ id: 'evt_1' }, { id: 'evt_2' }], nextCursor: 'a b&c' } : undefined
    response.end(JSON.stringify(page ?? { events: [{ id: 'evt_3' }], nextCursor: 'end' }))
  })
  const environment = {
    FANFARE_API: `${server.url}/v1`,
    FANFARE_KEY: 'fnf_key',
    CURSOR_FILE: join(directory, 'cursor'),
  }
  const first = startSample(t, 'pull.ts', environment)
  t.equal(await first.ended, 1)
  t.match(first.output(), /internal_error/)
  t.match(first.output(), '{"id":"evt_1"}\n{"id":"evt_2"}\n')
  const second = startSample(t, 'pull.ts', environment)
  await until(() => second.output().includes('evt_3'), 20_000)
  t.same(asked.slice(0, 3), [
    '/v1/events start Bearer fnf_key',
    '/v1/events a b&c Bearer fnf_key',
    '/v1/events a b&c Bearer fnf_key',
  ])
})

const eventSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  data: z.object({ runId: z.string(), results: z.unknown(), okCount: z.number(), total: z.number() }),
})

const exampleSchema = z.looseObject({ event: z.enum(DELIVERED_EVENTS) })

/** The event that webhooks receive for a post that ended as in a body. */
function told(body: string): PublicEvent {
  const { createdAt, data } = eventSchema.parse(JSON.parse(body))
  const { runId, results, okCount, total } = data
  const finished: RecordedEvent = {
    ...{ id: 'event', type: 'PostFinished', stream: streamName(post, runId), revision: 9, position: 99n },
    data: postFormat.events.PostFinished.parse({
      ...{ status: okCount > 0 ? 'published' : 'publish_failed', workspaceId: 'ws_1', results, okCount, total },
    }),
    metadata: { at: createdAt, actor: { kind: 'reactor', id: 'publish' }, correlationId: runId, causationId: runId },
  }
  const [event] = publicEvents(finished)
  if (!event) throw new Error('no event is published')
  return event
}

t.test('given the page', async (t) => {
  const page = await textOf('webhooks.md')
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, 'gm'))].map(([, code = '']) => code)

  await t.test('then its code is that of the samples', async (t) => {
    for (const [language, files] of [
      ['ts', ['verify.ts', 'pull.ts']],
      ['python', ['verify.py']],
    ] as const) {
      const code = blocks(language)
      t.equal(code.length, files.length)
      for (const [at, file] of files.entries()) {
        t.ok((await textOf(`webhooks/${file}`)).includes(`\n${code[at]}\n`), `${file} has the block of the page`)
      }
    }
  })

  await t.test('then its example is a vector', async (t) => {
    const [example = '', ...others] = blocks('http')
    t.same(others, [])
    const [head = '', body] = example.split('\n\n')
    const headers = Object.fromEntries(
      head
        .split('\n')
        .slice(1)
        .map((line) => line.split(': ', 2)),
    )
    const [vector] = await readVectors()
    t.same(
      { headers, body },
      { headers: { 'Content-Type': 'application/json', ...vector?.headers }, body: vector?.body },
    )
  })

  await t.test('then it shows what is sent', async (t) => {
    const shown = blocks('json').map((json) => exampleSchema.parse(JSON.parse(json)))
    const sent = (await readVectors()).slice(0, 3).map(({ body }) => body)
    for (const body of sent) t.ok(blocks('json').some((json) => JSON.stringify(JSON.parse(json)) === body))
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(publishedDocument, 'openapi')
    for (const example of shown) {
      const isBody = ajv.compile({
        $ref: `openapi#/webhooks/${example.event}/post/requestBody/content/application~1json/schema`,
      })
      t.ok(isBody(example), `${example.event} ${JSON.stringify(isBody.errors)}`)
    }
    t.same(shown.map(({ event }) => event).toSorted(), DELIVERED_EVENTS.toSorted())
    for (const body of sent.slice(0, 2))
      t.equal(bodyOf({ ...told(body), id: eventSchema.parse(JSON.parse(body)).id }), body)
    for (const event of DELIVERED_EVENTS) t.match(page, new RegExp(`^### .*${event.replace('.', '\\.')}`, 'm'))
  })

  await t.test('then it has the pauses that there are', async (t) => {
    const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000 }
    const pauses = [...page.matchAll(/^\| [2-9] +\| (\d+) (minute|hour)s? +\|/gm)].map(
      ([, count, unit = '']) => Number(count) * (UNITS[unit] ?? 0),
    )
    t.same(pauses, readSettings({}).WEBHOOK_RETRY_DELAYS)
  })
})
