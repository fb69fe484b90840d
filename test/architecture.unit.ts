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

t.test('a room may import what the design lets it, and its own files', async (t) => {
  const allowed = [
    ['domain/post/new.ts', './post.ts'],
    ['domain/post/new.ts', '../core/event.ts'],
    ['domain/post/new.ts', '../../infra/runtime/clock.ts'],
    ['domain/post/new.ts', 'zod'],
    ['domain/log/new.ts', '../video/video.ts'],
    ['commands/new.ts', '../domain/post/post.ts'],
    ['commands/new.ts', '../event-log/event-log.ts'],
    ['event-log/eventstoredb/new.ts', '../event-log.ts'],
    ['event-log/postgres/new.ts', '../../infra/postgres/pool.ts'],
    ['projections/models/new.ts', '../engine/projection.ts'],
    ['reactors/publishing/new.ts', '../../commands/handle.ts'],
    ['reactors/publishing/new.ts', '../runtime/work.ts'],
    ['reactors/restored/new.ts', '../publishing/publish.ts'],
    ['reactors/videos/new.ts', '../../infra/ai/text.ts'],
    ['platforms/bluesky/new.ts', '../kit/platform.ts'],
    ['platforms/youtube/new.ts', '../google/oauth.ts'],
    ['infra/http/new.ts', 'undici'],
    ['infra/ai/new.ts', '../http/http.ts'],
    ['api/v1/posts/new.ts', '../../../projections/models/posts.ts'],
    ['api/v1/posts/new.ts', '../history/history.ts'],
    ['packages/sandbox/bluesky/new.ts', '../../../domain/core/platform.ts'],
    ['app/cli/new.ts', '../../packages/sandbox/index.ts'],
    ['app/cli/new.ts', '../wiring/core.ts'],
    ['app/wiring/new.ts', '../../reactors/publishing/publish.ts'],
    ['packages/dashboard/pages/new.tsx', '../client/client.ts'],
    ['packages/dashboard/client/new.ts', '../../client/api.ts'],
    ['test/support/new.ts', '../../packages/sandbox/index.ts'],
  ] as const
  for (const [file, from] of allowed) t.same(await brokenRules(file, reexport(from)), [], `${file} imports ${from}`)
})

t.test('an import that the design does not let a room make is reported', async (t) => {
  const ours = [
    ['infra/runtime/new.ts', '../../domain/post/post.ts'],
    ['infra/postgres/new.ts', '../../domain/core/event.ts'],
    ['infra/http/new.ts', '../postgres/pool.ts'],
    ['infra/ai/new.ts', '../../reactors/publishing/publish.ts'],
    ['infra/ai/new.ts', '../http/guarded-http.ts'],
    ['infra/media/new.ts', '../http/guarded-http.ts'],
    ['domain/post/new.ts', '../../infra/ai/text.ts'],
    ['event-log/new.ts', '../infra/postgres/pool.ts'],
    ['projections/rebuild/new.ts', '../../event-log/open-log.ts'],
    ['domain/post/new.ts', '../../commands/handle.ts'],
    ['domain/post/new.ts', '../../event-log/event-log.ts'],
    ['domain/post/new.ts', '../video/video.ts'],
    ['domain/core/new.ts', '../post/post.ts'],
    ['commands/new.ts', '../projections/models/posts.ts'],
    ['commands/new.ts', '../event-log/postgres/log.ts'],
    ['commands/new.ts', '../infra/postgres/pool.ts'],
    ['event-log/eventstoredb/new.ts', '../../infra/postgres/pool.ts'],
    ['event-log/postgres/new.ts', '../../projections/models/posts.ts'],
    ['projections/models/new.ts', '../../commands/handle.ts'],
    ['projections/engine/new.ts', '../models/posts.ts'],
    ['projections/models/new.ts', '../../event-log/eventstoredb/log.ts'],
    ['platforms/kit/new.ts', '../../projections/models/accounts.ts'],
    ['platforms/kit/new.ts', '../bluesky/index.ts'],
    ['platforms/bluesky/new.ts', '../x/index.ts'],
    ['platforms/bluesky/new.ts', '../../reactors/publishing/publish.ts'],
    ['platforms/bluesky/new.ts', '../../packages/sandbox/bluesky/repo.ts'],
    ['reactors/publishing/new.ts', '../feeds/feed.ts'],
    ['reactors/runtime/new.ts', '../publishing/publish.ts'],
    ['reactors/publishing/new.ts', '../../api/server.ts'],
    ['reactors/publishing/new.ts', '../../event-log/postgres/log.ts'],
    ['reactors/publishing/new.ts', '../../app/wiring/core.ts'],
    ['api/http/new.ts', '../v1/posts/posts.ts'],
    ['api/v1/posts/new.ts', '../../../reactors/publishing/publish.ts'],
    ['api/v1/posts/new.ts', '../../../platforms/registry.ts'],
    ['api/v1/posts/new.ts', '../../../infra/ai/text.ts'],
    ['api/v1/posts/new.ts', '../../../app/wiring/service.ts'],
    ['api/http/new.ts', '../../packages/dashboard/client/types.ts'],
    ['packages/sandbox/new.ts', '../../platforms/kit/platform.ts'],
    ['packages/dashboard/new.ts', '../../domain/core/platform.ts'],
    ['packages/dashboard/pages/new.tsx', '../../../api/server.ts'],
    ['platforms/kit/new.ts', '../../test/support/world.ts'],
    ['app/wiring/new.ts', '../cli/output.ts'],
  ] as const
  const others = [
    ['domain/post/new.ts', 'node:fs'],
    ['domain/core/new.ts', 'node:http'],
    ['domain/log/new.ts', 'pg'],
    ['commands/new.ts', 'node:fs/promises'],
    ['commands/new.ts', 'node:crypto'],
    ['platforms/bluesky/new.ts', 'undici'],
    ['platforms/bluesky/new.ts', 'undici/lib/dispatcher/agent.js'],
    ['reactors/publishing/new.ts', 'undici'],
    ['reactors/publishing/new.ts', 'node:process'],
  ] as const
  const cases = [
    ...ours.map(([file, from]) => [file, from, 'rooms/imports'] as const),
    ...others.map(([file, from]) => [file, from, 'no-restricted-imports'] as const),
  ]
  for (const [file, from, rule] of cases) {
    t.same(await brokenRules(file, reexport(from)), [rule], `${file} exports from ${from}`)
    t.same(await brokenRules(file, `import '${from}'`), [rule], `${file} imports ${from}`)
    t.same(
      await brokenRules(
        file,
        `import type { X } from '${from}'
export type Y = X`,
      ),
      [rule],
      `${file}: ${from}`,
    )
  }
  const late = `export const x = import('./event-log/eventstoredb/log.ts')`
  t.same(await brokenRules('domain/core/new.ts', late), ['no-restricted-syntax'], 'a late import gets by no rule')
  t.same(await brokenRules('app/cli/new.ts', late), [], 'where everything may be imported, it may be so late')
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
      'infra/postgres/new.ts',
      'event-log/postgres/new.ts',
      'reactors/publishing/new.ts',
      'packages/sandbox/new.ts',
      'app/wiring/core.ts',
    ]) {
      t.same(await brokenRules(file, code), [rule], `${construct} in ${file}`)
    }
    for (const file of ['infra/runtime/new.ts', 'app/cli/new.ts', 'test/new.ts', 'packages/bench/new.ts']) {
      t.same(await brokenRules(file, code), [], `${construct} in ${file}`)
    }
  }
  const timer = `import { setTimeout as wait } from 'node:timers/promises'\nexport const x = wait(5)`
  t.same(await brokenRules('api/http/new.ts', timer), ['no-restricted-imports'])
  t.same(await brokenRules('infra/runtime/new.ts', timer), [])
  const nextTurn = `import { setImmediate as turn } from 'node:timers/promises'\nexport const x = turn()`
  t.same(await brokenRules('event-log/new.ts', nextTurn), [], 'the next turn of the event loop is no waiting')
  t.same(await brokenRules('domain/post/new.ts', 'export const x = new Date(0)'), [], 'a given time is no clock')
})

t.test('pure folders have no chance at all', async (t) => {
  const code = 'export const x = crypto.randomUUID()'
  for (const file of ['domain/post/new.ts', 'commands/new.ts']) {
    t.same(await brokenRules(file, code), ['no-restricted-globals'], file)
  }
  t.same(await brokenRules('infra/postgres/new.ts', code), [])
})

t.test('only the platforms and their stand-ins know what a single platform is like', async (t) => {
  const constructs = [
    `export const f = (platform: string) => platform === 'bluesky'`,
    `export const f = (platform: string) => 'x' !== platform`,
    `export function f(key: string) {\n  switch (key) {\n    case 'instagram':\n      return 1\n    default:\n      return 0\n  }\n}`,
  ]
  for (const code of constructs) {
    for (const file of [
      'domain/post/new.ts',
      'commands/new.ts',
      'reactors/publishing/new.ts',
      'api/http/new.ts',
      'app/cli/new.ts',
      'app/wiring/core.ts',
    ]) {
      t.same(await brokenRules(file, code), ['no-restricted-syntax'], `${file}: ${code}`)
    }
    for (const file of ['platforms/kit/new.ts', 'platforms/bluesky/new.ts', 'packages/sandbox/new.ts', 'test/new.ts']) {
      t.same(await brokenRules(file, code), [], `${file}: ${code}`)
    }
  }
})

t.test('other hosts are reached through the guarded client, and output goes to the log', async (t) => {
  const call = `export const x = fetch('https://example.com')`
  for (const file of ['reactors/publishing/new.ts', 'platforms/bluesky/new.ts']) {
    t.same(await brokenRules(file, call), ['no-restricted-globals'], file)
  }
  t.same(await brokenRules('infra/http/new.ts', call), [])
  for (const file of ['app/cli/new.ts', 'reactors/publishing/new.ts', 'test/new.ts', 'app/wiring/core.ts']) {
    t.same(await brokenRules(file, `console.log('x')`), ['no-console'], file)
  }
})

t.test('every room of the service has its rules', async (t) => {
  const free = ['app', 'test', 'dist', 'data', 'node_modules', 'docs']
  const folders = (await readdir(root, { withFileTypes: true }))
    .filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && ![...free, 'packages'].includes(entry.name),
    )
    .map(({ name }) => name)
  t.ok(folders.includes('domain'))
  for (const folder of [...folders, 'packages/sandbox', 'packages/dashboard']) {
    t.same(
      await brokenRules(`${folder}/room/new.ts`, reexport('../../../app/wiring/service.ts')),
      ['rooms/imports'],
      folder,
    )
  }
})

t.test('a pattern whose time grows faster than its text is reported', async (t) => {
  const patterns = [String.raw`/[.,;]+$/u`, String.raw`/(a+)+b/`, String.raw`/\/+$/`]
  for (const pattern of patterns) {
    const [rule = ''] = await brokenRules('platforms/threads/new.ts', `export const pattern = ${pattern}`)
    t.match(rule, /^regexp\/no-super-linear/, pattern)
  }
})
