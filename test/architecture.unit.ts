import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ESLint, type Linter } from 'eslint'
import t from 'tap'
import tseslint from 'typescript-eslint'

const root = fileURLToPath(new URL('..', import.meta.url))
const config = fileURLToPath(new URL('eslint.config.js', import.meta.url))

/** The linter as `npm run check` runs it, but for the rules that need types: the files here do not exist. */
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: config,
  overrideConfig: [tseslint.configs.disableTypeChecked as Linter.Config],
})

/** The names of the rules that code in this file breaks. */
async function brokenRules(file: string, code: string): Promise<readonly (string | null)[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: join(root, file) })
  return [...new Set(result?.messages.map(({ ruleId }) => ruleId))]
}

const reexport = (from: string) => `export * from '${from}'`

t.test('a folder may import what the design lets it, and its own files', async (t) => {
  const allowed = [
    ['domain/new.ts', './post.ts'],
    ['domain/new.ts', '../system/clock.ts'],
    ['domain/new.ts', 'zod'],
    ['commands/new.ts', '../domain/post.ts'],
    ['commands/new.ts', '../event-log/event-log.ts'],
    ['event-log/new.ts', '../domain/event.ts'],
    ['event-log/postgres-new.ts', '../database/pool.ts'],
    ['projections/new.ts', '../database/pool.ts'],
    ['reactors/new.ts', '../commands/handle.ts'],
    ['reactors/new.ts', '../platforms/platform.ts'],
    ['platforms/bluesky/new.ts', '../platform.ts'],
    ['platforms/bluesky/new.ts', '../../domain/platform.ts'],
    ['platforms/new.ts', 'undici'],
    ['ai/new.ts', '../platforms/http.ts'],
    ['reactors/new.ts', '../ai/text.ts'],
    ['api/new.ts', '../projections/posts.ts'],
    ['sandbox/bluesky/new.ts', '../../domain/platform.ts'],
    ['cli/new.ts', '../sandbox/index.ts'],
    ['cli/new.ts', '../main.ts'],
    ['main.ts', './reactors/platform-access.ts'],
    ['dashboard/pages/new.tsx', '../client/client.ts'],
    ['test/support/new.ts', '../../sandbox/index.ts'],
  ] as const
  for (const [file, from] of allowed) t.same(await brokenRules(file, reexport(from)), [], `${file} imports ${from}`)
})

t.test('an import that the design does not let a folder make is reported', async (t) => {
  const forbidden = [
    ['system/new.ts', '../domain/post.ts'],
    ['domain/new.ts', '../commands/handle.ts'],
    ['domain/new.ts', '../event-log/event-log.ts'],
    ['domain/new.ts', 'node:fs'],
    ['domain/new.ts', 'node:http'],
    ['domain/new.ts', 'node:net'],
    ['domain/new.ts', 'pg'],
    ['commands/new.ts', '../projections/posts.ts'],
    ['commands/new.ts', '../event-log/postgres.ts'],
    ['commands/new.ts', '../database/pool.ts'],
    ['commands/new.ts', 'node:fs/promises'],
    ['commands/new.ts', 'node:crypto'],
    ['database/new.ts', '../domain/event.ts'],
    ['event-log/new.ts', '../database/pool.ts'],
    ['event-log/postgres-new.ts', '../projections/posts.ts'],
    ['projections/new.ts', '../commands/handle.ts'],
    ['projections/new.ts', '../event-log/eventstoredb.ts'],
    ['platforms/new.ts', '../projections/accounts.ts'],
    ['platforms/bluesky/new.ts', '../../reactors/publish.ts'],
    ['platforms/bluesky/new.ts', '../../sandbox/bluesky/repo.ts'],
    ['ai/new.ts', '../platforms/guarded-http.ts'],
    ['ai/new.ts', '../reactors/publish.ts'],
    ['domain/new.ts', '../ai/text.ts'],
    ['api/new.ts', '../ai/text.ts'],
    ['reactors/new.ts', '../api/server.ts'],
    ['dashboard/new.ts', '../domain/platform.ts'],
    ['dashboard/pages/new.tsx', '../../api/server.ts'],
    ['api/new.ts', '../dashboard/client/types.ts'],
    ['reactors/new.ts', '../event-log/postgres.ts'],
    ['api/new.ts', '../reactors/publish.ts'],
    ['api/new.ts', '../platforms/registry.ts'],
    ['api/new.ts', '../event-log/postgres.ts'],
    ['api/new.ts', '../cli/serve.ts'],
    ['sandbox/new.ts', '../platforms/platform.ts'],
    ['sandbox/bluesky/new.ts', '../../platforms/bluesky/tid.ts'],
    ['dashboard/new.ts', '../projections/posts.ts'],
    ['reactors/new.ts', '../main.ts'],
    ['platforms/new.ts', '../test/support/world.ts'],
    ['reactors/new.ts', 'undici'],
    ['reactors/new.ts', 'node:process'],
  ] as const
  for (const [file, from] of forbidden) {
    const rules = ['no-restricted-imports']
    t.same(await brokenRules(file, reexport(from)), rules, `${file} exports from ${from}`)
    t.same(await brokenRules(file, `import '${from}'`), rules, `${file} imports ${from}`)
    t.same(await brokenRules(file, `import type { X } from '${from}'\nexport type Y = X`), rules, `${file}: ${from}`)
  }
  const late = `export const x = import('./event-log/eventstoredb.ts')`
  t.same(await brokenRules('domain/new.ts', late), ['no-restricted-syntax'], 'a late import gets by no rule')
  t.same(await brokenRules('main.ts', late), [], 'where everything may be imported, it may be so late')
})

t.test('only those who own the time, chance and settings may ask for them', async (t) => {
  const constructs = [
    ['Date.now()', 'no-restricted-properties'],
    ['new Date()', 'no-restricted-syntax'],
    ['Date()', 'no-restricted-syntax'],
    ['AbortSignal.timeout(5)', 'no-restricted-properties'],
    ['performance.now()', 'no-restricted-globals'],
    ['process.hrtime()', 'no-restricted-properties'],
    ['Math.random()', 'no-restricted-properties'],
    ['setTimeout(() => undefined, 5)', 'no-restricted-globals'],
    ['globalThis.setInterval(() => undefined, 5)', 'no-restricted-globals'],
    ["process.env['PORT']", 'no-restricted-properties'],
  ] as const
  for (const [construct, rule] of constructs) {
    const code = `export const x = ${construct}`
    for (const file of [
      'database/new.ts',
      'event-log/postgres-new.ts',
      'reactors/new.ts',
      'sandbox/new.ts',
      'main.ts',
    ]) {
      t.same(await brokenRules(file, code), [rule], `${construct} in ${file}`)
    }
    for (const file of ['system/new.ts', 'cli/new.ts', 'test/new.ts', 'bench/new.ts']) {
      t.same(await brokenRules(file, code), [], `${construct} in ${file}`)
    }
  }
  const timer = `import { setTimeout as wait } from 'node:timers/promises'\nexport const x = wait(5)`
  t.same(await brokenRules('api/new.ts', timer), ['no-restricted-imports'])
  t.same(await brokenRules('system/new.ts', timer), [])
  const nextTurn = `import { setImmediate as turn } from 'node:timers/promises'\nexport const x = turn()`
  t.same(await brokenRules('event-log/new.ts', nextTurn), [], 'the next turn of the event loop is no waiting')
  t.same(await brokenRules('domain/new.ts', 'export const x = new Date(0)'), [], 'a given time is no clock')
})

t.test('pure folders have no chance at all', async (t) => {
  const code = 'export const x = crypto.randomUUID()'
  for (const file of ['domain/new.ts', 'commands/new.ts']) {
    t.same(await brokenRules(file, code), ['no-restricted-globals'], file)
  }
  t.same(await brokenRules('database/new.ts', code), [])
})

t.test('only the platforms and their stand-ins know what a single platform is like', async (t) => {
  const constructs = [
    `export const f = (platform: string) => platform === 'bluesky'`,
    `export const f = (platform: string) => 'x' !== platform`,
    `export function f(key: string) {\n  switch (key) {\n    case 'instagram':\n      return 1\n    default:\n      return 0\n  }\n}`,
  ]
  for (const code of constructs) {
    for (const file of ['domain/new.ts', 'commands/new.ts', 'reactors/new.ts', 'api/new.ts', 'cli/new.ts', 'main.ts']) {
      t.same(await brokenRules(file, code), ['no-restricted-syntax'], `${file}: ${code}`)
    }
    for (const file of ['platforms/new.ts', 'platforms/bluesky/new.ts', 'sandbox/new.ts', 'test/new.ts']) {
      t.same(await brokenRules(file, code), [], `${file}: ${code}`)
    }
  }
})

t.test('other hosts are reached through the guarded client, and output goes to the log', async (t) => {
  t.same(await brokenRules('reactors/new.ts', `export const x = fetch('https://example.com')`), [
    'no-restricted-globals',
  ])
  t.same(await brokenRules('platforms/new.ts', `export const x = fetch('https://example.com')`), [])
  for (const file of ['cli/new.ts', 'reactors/new.ts', 'test/new.ts', 'main.ts']) {
    t.same(await brokenRules(file, `console.log('x')`), ['no-console'], file)
  }
})

t.test('every folder of the service has its rules', async (t) => {
  // `client/` is generated.
  const free = ['cli', 'client', 'test', 'bench', 'dist', 'data', 'node_modules', 'docs']
  const folders = (await readdir(root, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !free.includes(entry.name))
    .map(({ name }) => name)
  t.ok(folders.includes('domain'))
  for (const folder of folders) {
    t.same(await brokenRules(`${folder}/new.ts`, reexport('../cli/serve.ts')), ['no-restricted-imports'], folder)
  }
})

t.test('a pattern whose time grows faster than its text is reported', async (t) => {
  const patterns = [String.raw`/[.,;]+$/u`, String.raw`/(a+)+b/`, String.raw`/\/+$/`]
  for (const pattern of patterns) {
    const [rule = ''] = await brokenRules('platforms/threads/new.ts', `export const pattern = ${pattern}`)
    t.match(rule, /^regexp\/no-super-linear/, pattern)
  }
})
