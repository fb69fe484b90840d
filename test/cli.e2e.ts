import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { allowForm, consent, linkOn } from './support/browser.ts'
import { checkedFetch } from './support/document.ts'
import { givenNatsServer, hasNats } from './support/nats-server.ts'
import { sample } from './support/media-samples.ts'
import { FANFARE, givenHome, runCommand, startProcess, until, type Home } from './support/service-process.ts'

/* The command line as a new user meets it: the built program, its own database, the printed commands run by a shell. */

const shell = promisify(execFile)
const keySchema = z.object({ id: z.string(), key: z.string(), scopes: z.array(z.string()) })
const queuedSchema = z.object({ runId: z.string(), queued: z.literal(true) })
const postsSchema = z.object({ posts: z.array(z.object({ id: z.string(), status: z.string() })) })

/** The commands among the lines of the welcome: what stands indented behind `curl`, continued lines joined. */
function printedCommands(output: string): readonly string[] {
  const joined = output.replace(/\\\n\s*/g, '')
  return joined
    .split('\n')
    .filter((line) => line.startsWith('  curl '))
    .map((line) => line.trim())
}

async function run(command: string): Promise<string> {
  return (await shell('sh', ['-c', command])).stdout
}

const connectTo = (platform: string) => ['accounts', 'connect', platform, '--workspace', 'demo', '--credentials']

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

t.test('given a first start', async (t) => {
  // Polled faster than the default limit of a key allows.
  const home = await givenHome(t, { RATE_LIMIT_PER_MINUTE: '10000' })
  const began = Date.now()
  const service = startProcess(home)
  await service.ready
  t.comment(`ready after ${Date.now() - began} ms`)
  const [publish = '', list = '', live = '', ...others] = printedCommands(service.output())
  const rawKey = /fnf_\w+/.exec(service.output())?.[0] ?? ''
  const password = /Sign in +admin, (\S+) +\(shown only once\)/.exec(service.output())?.[1] ?? ''
  const signIn = async (name: string, given: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name, password: given })
    return fetch(`http://127.0.0.1:${home.port}/dashboard/api/session`, { method: 'POST', headers, body })
  }

  await t.test('then its output says where everything is and what to do', async (t) => {
    t.match(service.output(), /creating the database \(first start only\)/)
    t.match(service.output(), new RegExp(`http://127.0.0.1:${home.port}/v1`))
    t.match(service.output(), new RegExp(`Dashboard http://127.0.0.1:${home.port}/\n`))
    t.match(service.output(), /Demo key +fnf_\w+ +\(shown only once\)/)
    t.same(others, [])
  })

  await t.test('when the printed commands are pasted, then the first post is published', async (t) => {
    const { runId } = queuedSchema.parse(JSON.parse(await run(publish)))
    await until('the post to be published', 60_000, async () => {
      const { posts } = postsSchema.parse(JSON.parse(await run(list)))
      return posts[0]?.status === 'processing' ? undefined : t.match(posts, [{ id: runId, status: 'published' }])
    })
    t.comment(`first post after ${Date.now() - began} ms`)
    t.match(JSON.parse(await run(live)), [{ caption: 'Hello from Fanfare\n\n#fanfare' }])
  })

  await t.test(
    'when a file of this computer is published, then it is uploaded, and kept while it is used',
    async (t) => {
      const file = join(home.dataDir, 'bread.jpg')
      await writeFile(file, sample('picture.jpg'))
      const cli = async (...args: readonly string[]) => {
        const done = await runCommand(home, [...args, '--json'])
        if (done.code !== 0) throw new Error(done.stderr)
        return z.unknown().parse(JSON.parse(done.stdout))
      }
      const accounts = z.array(z.object({ id: z.string(), platform: z.string() }))
      const listed = accounts.parse(await cli('accounts', 'list', '--workspace', 'demo'))
      const to = listed.find(({ platform }) => platform === 'bluesky')?.id ?? ''
      const options = ['--workspace', 'demo', '--accounts', to, '--caption', 'From a disk']
      const sent = z.object({ id: z.string(), mediaUrl: z.string() })
      const sandbox = /http[^']+?(?=\/_control)/.exec(live)?.[0] ?? ''
      const given = ['--media', file, '--alt', 'A loaf', '--media', `${sandbox}/media/sample.jpg`, '--type', 'image']
      const { id, mediaUrl } = sent.parse(await cli('posts', 'publish', ...given, ...options))
      await until('the post to be published', 60_000, async () => {
        const { posts } = postsSchema.parse(JSON.parse(await run(list)))
        return posts[0]?.status === 'published' ? true : undefined
      })
      const items = [{ altText: 'A loaf' }, { mediaType: 'image' }]
      t.match(JSON.parse(await run(live)), [{ caption: /^Hello/ }, { caption: 'From a disk', items }])
      t.match(await cli('posts', 'show', id), { status: 'published', summary: { succeeded: 1, failed: 0, pending: 0 } })
      t.match((await runCommand(home, ['posts', 'show', id])).stdout, /^summary +succeeded 1, failed 0, pending 0$/m)
      t.match(
        (await runCommand(home, ['posts', 'edit', id, '--caption', 'Late'])).stderr,
        /Apps cannot edit posts on Bluesky\. Edit the post there yourself\./,
      )
      t.match((await runCommand(home, ['posts', 'edit', id])).stderr, /needs at least one field to change/)

      const plan = join(home.dataDir, 'plan.csv')
      const rows = ['Bread', 'Rolls'].map((caption) => `2031-07-15 09:00,${to},${caption},${sandbox}/media/sample.jpg`)
      await writeFile(plan, ['scheduled_for,accounts,caption,media_urls', ...rows].join('\n'))
      const importing = ['posts', 'import', plan, '--workspace', 'demo', '--timezone', 'Europe/Berlin'] as const
      t.match(await cli(...importing, '--dry-run'), [
        { row: 1, scheduledAtUtc: '2031-07-15T07:00:00.000Z' },
        { row: 2 },
      ])
      const imported = await cli(...importing)
      t.match(imported, [
        { row: 1, id: /^post_/ },
        { row: 2, id: /^post_/ },
      ])
      t.same(await cli(...importing), imported, 'nothing is scheduled twice')
      const [media] = z.array(z.object({ id: z.string() })).parse(await cli('media', 'list', '--workspace', 'demo'))
      t.match(await cli('media', 'show', media?.id ?? ''), { mediaUrl, status: 'ready', fileName: 'bread.jpg' })
      const served = await fetch(mediaUrl)
      t.same(Buffer.from(await served.arrayBuffer()), sample('picture.jpg'))
      t.match(await cli('media', 'delete', media?.id ?? ''), { deleted: true })

      const wrong = await runCommand(home, ['media', 'upload', join(home.dataDir, 'none.jpg'), '--workspace', 'demo'])
      t.match(wrong, { code: 1, stderr: /none\.jpg cannot be read: ENOENT/ })
      await writeFile(file, '<html><body>Hi')
      const page = await runCommand(home, ['media', 'upload', file, '--workspace', 'demo'])
      t.match(page, { code: 1, stderr: /bread\.jpg is a web page; posts take image\/jpeg, / })
    },
  )

  await t.test('when the command line is used beside it, then its keys work at once', async (t) => {
    const made = await runCommand(home, [
      'keys',
      'create',
      '--workspace',
      'demo',
      '--scopes',
      'posts:read,accounts:read',
      '--json',
    ])
    t.equal(made.stderr, '')
    const { id, key, scopes } = keySchema.parse(JSON.parse(made.stdout))
    t.same(scopes, ['posts:read', 'accounts:read'])
    const get = (path: string) =>
      checkedFetch(`http://127.0.0.1:${home.port}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
    t.equal((await get('/posts')).status, 200)
    const listed = await runCommand(home, ['keys', 'list', '--workspace', 'demo'])
    t.match(listed.stdout, id)
    t.notMatch(listed.stdout, key)
    t.equal((await runCommand(home, ['keys', 'revoke', id])).code, 0)
    const code = await until('the key to stop working', 60_000, async () => {
      const response = await get('/posts')
      return response.status === 401
        ? z.object({ error: z.object({ code: z.string() }) }).parse(await response.json())
        : undefined
    })
    t.equal(code.error.code, 'revoked_api_key')
  })

  await t.test(
    'when users are made and given other passwords, then they sign in with the last one alone',
    async (t) => {
      t.match(await (await signIn('admin', password)).json(), { user: { name: 'admin' }, workspace: { name: 'demo' } })
      const file = join(home.dataDir, 'password.txt')
      await writeFile(file, 'a password of her own\n')
      const create = ['users', 'create', 'ada@example.com', '--workspace', 'demo', '--json']
      const made = await runCommand(home, [...create, '--password-file', file])
      t.match(JSON.parse(made.stdout), { id: /^user_/, name: 'ada@example.com' }, made.stderr)
      t.notMatch(made.stdout, 'password')
      await rm(file)
      const first = await signIn('Ada@Example.com', 'a password of her own')
      t.equal(first.status, 200)
      const reset = await runCommand(home, ['users', 'reset-password', 'ada@example.com', '--json'])
      const { password: next } = z.object({ password: z.string() }).parse(JSON.parse(reset.stdout))
      t.match(next, /^([a-z2-9]{5}-){4}[a-z2-9]{5}$/)
      const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      t.equal((await fetch(`http://127.0.0.1:${home.port}/v1/posts`, { headers: { cookie } })).status, 401)
      t.equal((await signIn('ada@example.com', 'a password of her own')).status, 401)
      t.equal((await signIn('ada@example.com', next)).status, 200)
      const sessions = await runCommand(home, ['users', 'sessions', 'Ada@example.com', '--json'])
      t.match(JSON.parse(sessions.stdout), [{ id: /^session_/, createdAt: /^2/, expiresAt: /^2/ }])
      t.match(await runCommand(home, ['users', 'sign-out', 'ada@example.com']), { code: 0, stdout: /ended +1/ })
      t.match(await runCommand(home, ['users', 'sessions', 'ada@example.com']), { code: 0, stdout: 'none\n' })
      const linked = await runCommand(home, ['users', 'reset-link', 'ada@example.com', '--json'])
      const { link } = z.object({ link: z.url() }).parse(JSON.parse(linked.stdout))
      t.equal(new URL(link).origin, `http://127.0.0.1:${home.port}`)
      const resets = await fetch(`http://127.0.0.1:${home.port}/dashboard/api/reset`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ token: new URL(link).hash.slice(1), password: 'chosen by a link' }),
      })
      t.match(await resets.json(), { user: { name: 'ada@example.com' } })
      t.equal((await signIn('ada@example.com', next)).status, 401)
      t.match(await runCommand(home, ['users', 'disable-totp', 'ada@example.com']), { stdout: /disabled +false/ })
      t.match(await runCommand(home, ['users', 'remove', 'ada@example.com']), { code: 0 })
      t.equal((await signIn('ada@example.com', 'chosen by a link')).status, 401)
      const listed = await runCommand(home, ['users', 'list', '--workspace', 'demo', '--json'])
      t.match(JSON.parse(listed.stdout), [{ name: 'admin' }])
      t.notMatch(listed.stdout, 'ada')
    },
  )

  await t.test('when people are to be notified, then the activity says who has set that up', async (t) => {
    const cli = async (...args: readonly string[]) => {
      const done = await runCommand(home, [...args, '--workspace', 'demo'])
      return done.code === 0 ? done.stdout : done.stderr
    }
    const create = ['channels', 'create', 'ntfy', '--url', 'http://1.1.1.1/fanfare', '--topics'] as const
    t.match(await cli(...create, 'post.exploded'), /topics\[0\] must be one of post\.failed/)
    t.match(await cli(...create, 'webhook.failing', '--label', 'Ops'), /^address +1\.1\.1\.1\/fanfare$/m)
    const [, id = ''] = /^id +(chn_\w+)$/m.exec(await cli('channels', 'list')) ?? []
    t.match(await runCommand(home, ['channels', 'delete', id]), { code: 0, stdout: /^deleted +true$/m })
    t.match(await runCommand(home, ['channels', 'test', id]), { code: 1, stderr: /There is no notification channel/ })
    t.equal(await cli('channels', 'list'), 'none\n')
    const activity = await cli('activity', '--kind', 'notifications', '--actor', 'cli')
    t.match(activity, /^\S+Z {2}cli \S+ {2}notifications {2}The notification channel was removed\.\n/)
    t.equal(activity.split('\n').length, 3)
    t.match(
      await cli('activity', '--csv', '--kind', 'keys'),
      /^at,byKind,by,kind,[^\n]+\r\n\S+,cli,[^,]+,keys,The API key was revoked\.,/,
    )
    t.match(await cli('activity', '--from', 'yesterday'), /^from must be a time/)
  })

  await t.test('when somebody is invited, then the link makes a user, whose role can be changed', async (t) => {
    const invite = ['users', 'invite', '--workspace', 'demo', '--role', 'reader', '--label', 'Ben', '--json']
    const { link } = z.object({ link: z.url() }).parse(JSON.parse((await runCommand(home, invite)).stdout))
    t.equal(new URL(link).origin, `http://127.0.0.1:${home.port}`)
    const listed = await runCommand(home, ['users', 'invitations', '--workspace', 'demo', '--json'])
    const [open] = z.array(z.object({ id: z.string(), label: z.literal('Ben') })).parse(JSON.parse(listed.stdout))
    t.notMatch(listed.stdout, new URL(link).hash.slice(1))
    const join = await fetch(`http://127.0.0.1:${home.port}/dashboard/api/join`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ token: new URL(link).hash.slice(1), name: 'ben', password: 'a password of his own' }),
    })
    t.match(await join.json(), { user: { name: 'ben', role: 'reader' }, workspace: { name: 'demo' } })
    t.match(await runCommand(home, ['users', 'revoke-invitation', open?.id ?? '']), {
      code: 1,
      stderr: /has been used/,
    })
    t.match(await runCommand(home, ['users', 'set-role', 'ben', 'author']), { code: 0, stdout: /role +author/ })
    t.match(await (await signIn('ben', 'a password of his own')).json(), { user: { role: 'author' } })
    t.match(await runCommand(home, ['users', 'remove', 'ben']), { code: 0 })
  })

  await t.test(
    'when the read models are rebuilt beside it, then it keeps serving, and reports their progress',
    async (t) => {
      const rebuilt = await runCommand(home, ['projections', 'rebuild', 'posts', 'agenda', '--json'])
      t.match(JSON.parse(rebuilt.stdout), [
        { projection: 'posts', rows: 2, compared: 'equal', now: 'live' },
        { projection: 'agenda', compared: 'equal', now: 'live' },
      ])
      t.match(rebuilt.stderr, /100 %/)
      t.match(JSON.parse(await run(list)), { posts: [{ status: 'published' }] })
      t.match(await runCommand(home, ['projections', 'status']), {
        code: 0,
        stdout: /^posts +\d+ +0 +0\.0 s +current +-$/m,
      })
      t.match(await runCommand(home, ['projections', 'rebuild', 'post']), {
        code: 2,
        stderr: /post is not a projection; the projections are/,
      })
    },
  )

  await t.test('when accounts are connected and disconnected, then the API follows', async (t) => {
    const sandbox = `http://127.0.0.1:${home.sandboxPort}`
    const made = await fetch(`${sandbox}/_control/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform: 'bluesky' }),
    })
    const { credentials, baseUrl } = z
      .object({ credentials: z.record(z.string(), z.string()), baseUrl: z.string() })
      .parse(await made.json())
    const connect = (given: object, ...more: string[]) =>
      runCommand(home, [
        'accounts',
        'connect',
        'bluesky',
        '--workspace',
        'demo',
        '--base-url',
        baseUrl,
        '--credentials',
        JSON.stringify(given),
        ...more,
      ])

    const wrong = await connect({ ...credentials, appPassword: 'wrong' })
    t.equal(wrong.code, 1)
    t.match(wrong.stderr, /password|identifier/i)
    t.notMatch(wrong.stderr, / {2}at /, 'no stack for what the user can fix')
    t.match(await connect({}), { code: 1, stderr: /identifier is required/ })

    const connected = await connect(credentials, '--label', 'Second', '--json')
    t.equal(connected.code, 0, connected.stderr)
    const { id } = z.object({ id: z.string() }).parse(JSON.parse(connected.stdout))
    const again = await connect(credentials, '--label', 'Renamed', '--json')
    t.match(JSON.parse(again.stdout), { id, label: 'Renamed' }, 'the same account keeps its id')
    t.match(await runCommand(home, ['accounts', 'list', '--workspace', 'demo']), {
      stdout: new RegExp(`${id}[^]*Renamed`),
    })
    t.match(await runCommand(home, ['accounts', 'disconnect', id]), { code: 0 })
    t.notMatch(await runCommand(home, ['accounts', 'list', '--workspace', 'demo']), { stdout: new RegExp(id) })
  })

  await t.test('when an account is connected in a browser, then the command waits for it', async (t) => {
    const control = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const url = `http://127.0.0.1:${home.sandboxPort}/_control/${path}`
      const made = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return z.record(z.string(), z.unknown()).parse(await made.json())
    }
    const { externalId, baseUrl } = await control('accounts', { platform: 'x' })
    const redirectUri = `http://127.0.0.1:${home.port}/connect/x/callback`
    const { clientId, clientSecret } = await control('apps', { platform: 'x', redirectUri })
    const args = [
      'accounts',
      'connect',
      'x',
      '--workspace',
      'demo',
      '--base-url',
      String(baseUrl),
      '--browser',
      '--json',
    ]
    t.match(await runCommand(home, args), { code: 1, stderr: /set X_CLIENT_ID and X_CLIENT_SECRET/ })

    const environment = { X_CLIENT_ID: String(clientId), X_CLIENT_SECRET: String(clientSecret) }
    const waiting = startProcess({ ...home, environment: { ...home.environment, ...environment } }, args)
    const link = await until('the link', 60_000, async () => /http\S+ticket=\S+/.exec(waiting.output())?.[0])
    await until('the redirect URI', 60_000, async () => waiting.output().includes(redirectUri) || undefined)
    const start = await fetch(link)
    const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const { action, fields } = allowForm({ body: await start.text() })
    const body = new URLSearchParams(fields)
    const allowed = await fetch(new URL(action, link), { method: 'POST', headers: { cookie }, body })
    const back = await consent(linkOn({ body: await allowed.text() }), String(externalId), 'allow')
    t.match(await (await fetch(back, { headers: { cookie } })).text(), /is connected to demo/)
    await waiting.ended
    t.equal(waiting.child.exitCode, 0)
    t.match(waiting.output(), `"label":"@user${String(externalId)}"`)
  })

  await t.test('when an agent host starts the bridge, then it has the tools of the service', async (t) => {
    const url = `http://127.0.0.1:${home.port}`
    const hosted = async (key: string, at: string, mode: 'legacy' | { pin: string }) => {
      const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode } })
      const args = [FANFARE, 'mcp', '--url', at]
      const transport = new StdioClientTransport({
        command: process.execPath,
        args,
        env: { FANFARE_KEY: key },
        stderr: 'pipe',
      })
      await client.connect(transport)
      t.teardown(() => client.close())
      return client
    }
    for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
      const client = await hosted(rawKey, url, mode)
      const { tools } = await client.listTools()
      t.equal(tools.length, 12)
      const { content } = await client.callTool({ name: 'overview', arguments: {} })
      t.match(content, [{ type: 'text', text: /"accounts"/ }])
    }
    await t.rejects(hosted('fnf_wrong', url, 'legacy'), { message: /did not accept the API key/ })
    await t.rejects(hosted(rawKey, 'http://127.0.0.1:1', 'legacy'), {
      message: /cannot be reached. Is the service running/,
    })
  })

  await t.test('when personal data is erased, then it is counted first', async (t) => {
    const erase = (...options: string[]) => runCommand(home, ['erase', '--workspace', 'demo', ...options])
    const count = await erase('--author', 'Nobody')
    t.match(count, {
      code: 0,
      stdout: /^comments +0\n.*\nnext +Nothing has been erased yet\. To erase this, add --yes\.\n$/s,
    })
    const erased = await erase('--author', 'Nobody', '--yes', '--json')
    t.match(erased, { code: 0, stdout: /^{"id":"ers_\w+","comments":0,"replies":0,"deliveries":0}\n$/ })
    for (const options of [[], ['--all', '--author', 'Ada']]) {
      t.match(await erase(...options), { code: 2, stderr: /give --author, --account or --before, or --all, or --user/ })
    }
    const listed = async () => (await runCommand(home, ['users', 'list', '--workspace', 'demo', '--json'])).stdout
    await runCommand(home, ['users', 'create', 'leaving@example.com', '--workspace', 'demo'])
    t.match(await erase('--user', 'leaving@example.com'), { code: 0, stdout: /Nothing has been erased yet/ })
    t.match(await listed(), /leaving@example\.com/)
    t.match(await erase('--user', 'leaving@example.com', '--yes', '--json'), { code: 0, stdout: /"erased":true/ })
    t.notMatch(await listed(), /leaving@example\.com/)
    t.match(await erase('--user', 'nobody', '--yes'), { code: 1, stderr: /No such user/ })
    t.match(await erase('--before', 'May'), { code: 1, stderr: /before must be a time such as/ })
  })

  await t.test('when a command names something that does not exist, then it says so', (t) =>
    refusals(t, home, [
      [['keys', 'create', '--workspace', 'nowhere', '--scopes', 'all'], {}, 1, /There is no workspace nowhere/],
      [[...connectTo('myspace'), '{}'], {}, 1, /myspace is not a platform/],
      [[...connectTo('x'), 'no json'], {}, 1, /--credentials must be a JSON object/],
      [['users', 'invite', '--workspace', 'demo'], {}, 2, /--role <role>' not specified/],
      [['users', 'invite', '--workspace', 'demo', '--role', 'boss'], {}, 2, /choices are owner, manager, author/],
      [['users', 'invite', '--workspace', 'demo', '--role', 'author', '--days', '31'], {}, 1, /days must be 1 to 30/],
      [['users', 'set-role', 'nobody', 'author'], {}, 1, /No such user/],
      [['users', 'sign-out', 'nobody'], {}, 1, /No such user/],
      [['users', 'reset-link', 'nobody'], {}, 1, /No such user/],
      [['users', 'disable-totp', 'nobody'], {}, 1, /No such user/],
      [['users', 'create', 'ada lovelace', '--workspace', 'demo'], {}, 1, /<name> must be 1 to 100 letters/],
    ]),
  )

  await t.test(
    'when another service is started on its ports, then that one says so and this one lives on',
    async (t) => {
      const second = startProcess(home)
      await second.ended
      t.equal(second.child.exitCode, 1)
      t.match(second.output(), /EADDRINUSE[^]*set PORT/)
      t.notMatch(second.output(), / {2}at /)
      t.equal((await fetch(`http://127.0.0.1:${home.port}/readyz`)).status, 200)
    },
  )

  await t.test('when it is asked to stop, then it exits with 0, and the next start shows no key', async (t) => {
    service.child.kill('SIGTERM')
    await service.ended
    t.equal(service.child.exitCode, 0)
    const next = startProcess(home)
    await next.ready
    t.notMatch(next.output(), rawKey)
    t.notMatch(next.output(), password)
    t.match(next.output(), /Demo key +was shown at the first start; for another: npx fanfare keys create/)
    t.equal(postsSchema.parse(JSON.parse(await run(list))).posts.length, 2)
    next.child.kill('SIGTERM')
    await next.ended
  })

  await t.test('then no raw key and no platform token lies on the disk in the clear', async (t) => {
    const ledger = await readFile(join(home.dataDir, 'sandbox', 'ledger.ndjson'), 'utf8')
    const token = /"accessToken":"([^"]+)"/.exec(ledger)?.[1] ?? ''
    t.ok(token.length > 8)
    for (const file of await filesBelow(home.dataDir)) {
      if (file.includes('/sandbox/')) continue
      const bytes = await readFile(file).catch(() => Buffer.alloc(0))
      if ([token, rawKey, password].some((secret) => bytes.includes(secret))) t.fail(`a secret in ${file}`)
    }
  })
})

t.test('given no service is running, then the command line brings up the database for itself', async (t) => {
  const home = await givenHome(t)
  const made = await runCommand(home, ['workspaces', 'create', 'acme', '--json'])
  t.equal(made.code, 0, made.stderr)
  t.match(JSON.parse(made.stdout), { id: /^ws_/, name: 'acme' })
  t.match(await runCommand(home, ['workspaces', 'create', 'acme']), {
    code: 1,
    stderr: /A workspace named acme already exists/,
  })
  t.match(await runCommand(home, ['workspaces', 'rename', 'acme', ' ']), { code: 1, stderr: /name must not be empty/ })
  const renamed = await runCommand(home, ['workspaces', 'rename', 'acme', 'bakery', '--json'])
  t.match(JSON.parse(renamed.stdout), { id: JSON.parse(made.stdout).id, name: 'bakery' })
  t.match(await runCommand(home, ['keys', 'list', '--workspace', 'bakery', '--json']), { code: 0, stdout: '[]\n' })
})

t.test('given wrong use, then the answer names what is wrong and how to fix it', async (t) => {
  const home = await givenHome(t)
  await refusals(t, home, [
    [['serve'], { PORT: 'abc', LOG_LEVEL: 'loud' }, 1, /PORT:[^]*LOG_LEVEL:/],
    [['serve'], { OUTBOUND_ALLOW: '10.0.0.0/99' }, 1, /10\.0\.0\.0\/99/],
    [['keys', 'list', '--workspace', 'demo'], { LINKDIN_CLIENT_ID: 'a' }, 1, /Did you mean LINKEDIN_CLIENT_…\?/],
    [['serve', '--roles', 'api,cook'], {}, 2, /cook is not a role/],
    [['sing'], {}, 2, /unknown command 'sing'/],
    [['accounts', 'connect', 'x', '--workspace', 'demo'], {}, 2, /give --credentials or --browser/],
    [
      ['accounts', 'connect', 'linkedin', '--workspace', 'demo', '--credentials', '{}', '--login', 'member'],
      {},
      2,
      /--login requires --browser/,
    ],
    [['keys', 'list', '--workspace', 'demo'], { LINKEDIN_MEMBR_CLIENT_ID: 'a' }, 1, /Did you mean LINKEDIN_MEMBER_C/],
    [['keys', 'create', '--workspace', 'demo'], {}, 2, /required option '--scopes/],
    [['mcp'], {}, 2, /required option '--key/],
    [['mcp', '--key', 'fnf_a', '--url', 'fanfare'], {}, 2, /fanfare is not an address such as https:/],
  ])
  t.match(await runCommand(home, ['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
  const help = await runCommand(home, ['accounts', 'connect', '--help'])
  t.match(help, { code: 0, stdout: /bluesky\n +identifier: [^]*appPassword: / })
})

t.test('given a NATS server', { skip: !hasNats() && 'nats-server is not in PATH' }, async (t) => {
  const { url } = await givenNatsServer(t)
  const away = {
    DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/none',
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  }
  const home = await givenHome(t, { ...away, NATS_URL: url })

  await t.test('when the built program examines it, then it responds', async (t) => {
    const { stdout } = await runCommand(home, ['doctor'])
    t.match(stdout, /^ok +nats +NATS \d+\.\d+\.\d+, with JetStream$/m)
  })
})

type Refused = readonly [args: readonly string[], environment: Record<string, string>, code: number, message: RegExp]

async function refusals(t: Test, home: Home, cases: readonly Refused[]): Promise<void> {
  for (const [args, environment, code, message] of cases) {
    const result = await runCommand({ ...home, environment: { ...home.environment, ...environment } }, args)
    t.match(result, { code, stderr: message }, args.join(' '))
    t.notMatch(result.stderr, / {2}at /, 'without a stack')
  }
}
