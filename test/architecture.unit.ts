import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A file in a room, its code, and the rules that it breaks. */
type Case = readonly [file: string, code: string, ...rules: readonly string[]]

interface Group {
  readonly what: string
  readonly cases: readonly Case[]
}
const groups: Group[] = []
/** The linter is asked once, for all groups. */
const given = (what: string, casesOf: () => readonly Case[]) => void groups.push({ what, cases: casesOf() })

const CONFIG = `
import config from ${JSON.stringify(join(root, 'oxlint.config.js'))}
export default { ...config, options: {} }
`

interface Report {
  readonly number_of_files: number
  readonly diagnostics: readonly { readonly filename: string; readonly code: string }[]
}

/** The names of the rules that each file breaks, by the path of the file. */
async function oxlint(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const args = ['--config', 'oxlint.config.js', '--format', 'json', ...files]
  const bin = join(root, 'node_modules/.bin/oxlint')
  const out = await new Promise<string>((resolve) => {
    // It ends with 1 when there are findings.
    execFile(bin, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout))
  })
  const { diagnostics, number_of_files } = JSON.parse(out) as Report
  if (number_of_files !== files.length) throw new Error('not all files were linted')
  const broken = new Map<string, Set<string>>()
  for (const { filename, code } of diagnostics) {
    const rules = broken.get(filename) ?? new Set<string>()
    // As in "eslint(no-console)" and "rooms(imports)".
    const [, plugin, rule] = /^([^(]*)\((.*)\)$/.exec(code) ?? []
    broken.set(filename, rules.add(plugin === 'eslint' ? String(rule) : `${plugin}/${rule}`))
  }
  return broken
}

const reexport = (from: string) => `export * from '${from}'`

given('a room may import what the design lets it, and its own files', () => {
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
  return allowed.map(([file, from]) => [file, reexport(from)])
})

given('an import that the design does not let a room make is reported', () => {
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
  const packages = [
    ['domain/post/new.ts', 'node:fs'],
    ['domain/core/new.ts', 'node:http'],
    ['domain/log/new.ts', 'pg'],
    ['commands/new.ts', 'node:fs/promises'],
    ['commands/new.ts', 'node:crypto'],
  ] as const
  const restricted = [
    ['platforms/bluesky/new.ts', 'undici'],
    ['platforms/bluesky/new.ts', 'undici/lib/dispatcher/agent.js'],
    ['reactors/publishing/new.ts', 'undici'],
    ['reactors/publishing/new.ts', 'node:process'],
  ] as const
  const imports = [
    ...[...ours, ...packages].map(([file, from]) => [file, from, 'rooms/imports'] as const),
    ...restricted.map(([file, from]) => [file, from, 'no-restricted-imports'] as const),
  ]
  const late = `export const x = import('./event-log/eventstoredb/log.ts')`
  return [
    ...imports.flatMap(([file, from, rule]): readonly Case[] => [
      [file, reexport(from), rule],
      [file, `import '${from}'`, rule],
      [file, `import type { X } from '${from}'\nexport type Y = X`, rule],
    ]),
    ['domain/core/new.ts', late, 'rooms/syntax'],
    // Where everything may be imported, it may be so late.
    ['app/cli/new.ts', late],
  ]
})

given('only those who own the time, chance and settings may ask for them', () => {
  const constructs = [
    ['Date.now()', 'no-restricted-properties'],
    ['new Date()', 'rooms/syntax'],
    ['Date()', 'rooms/syntax'],
    ['AbortSignal.timeout(5)', 'no-restricted-properties'],
    ['performance.now()', 'no-restricted-globals'],
    ['process.hrtime()', 'no-restricted-properties'],
    ['Math.random()', 'no-restricted-properties'],
    ['setTimeout(() => undefined, 5)', 'no-restricted-globals'],
    ['globalThis.setInterval(() => undefined, 5)', 'no-restricted-globals'],
    ["process.env['PORT']", 'no-restricted-properties'],
  ] as const
  const without = ['infra/postgres', 'event-log/postgres', 'reactors/publishing', 'packages/sandbox', 'app/wiring']
  const owners = ['infra/runtime', 'app/cli', 'test', 'packages/bench']
  const timer = `import { setTimeout as wait } from 'node:timers/promises'\nexport const x = wait(5)`
  const nextTurn = `import { setImmediate as turn } from 'node:timers/promises'\nexport const x = turn()`
  return [
    ...constructs.flatMap(([construct, rule]): readonly Case[] => [
      ...without.map((room): Case => [`${room}/new.ts`, `export const x = ${construct}`, rule]),
      ...owners.map((room): Case => [`${room}/new.ts`, `export const x = ${construct}`]),
    ]),
    ['api/http/new.ts', timer, 'no-restricted-imports'],
    ['infra/runtime/new.ts', timer],
    // The next turn of the event loop is no waiting, and a given time is no clock.
    ['event-log/new.ts', nextTurn],
    ['domain/post/new.ts', 'export const x = new Date(0)'],
  ]
})

given('pure folders have no chance at all', () => {
  const code = 'export const x = crypto.randomUUID()'
  return [
    ['domain/post/new.ts', code, 'no-restricted-globals'],
    ['commands/new.ts', code, 'no-restricted-globals'],
    ['infra/postgres/new.ts', code],
  ]
})

given('only the platforms and their stand-ins know what a single platform is like', () => {
  const constructs = [
    `export const f = (platform: string) => platform === 'bluesky'`,
    `export const f = (platform: string) => 'x' !== platform`,
    `export function f(key: string) {\n  switch (key) {\n    case 'instagram':\n      return 1\n    default:\n      return 0\n  }\n}`,
  ]
  const without = ['domain/post', 'commands', 'reactors/publishing', 'api/http', 'app/cli', 'app/wiring']
  const owners = ['platforms/kit', 'platforms/bluesky', 'packages/sandbox', 'test']
  return constructs.flatMap((code): readonly Case[] => [
    ...without.map((room): Case => [`${room}/new.ts`, code, 'rooms/syntax']),
    ...owners.map((room): Case => [`${room}/new.ts`, code]),
  ])
})

given('other hosts are reached through the guarded client, and output goes to the log', () => {
  const call = `export const x = fetch('https://example.com')`
  const output = ['app/cli', 'reactors/publishing', 'test', 'app/wiring']
  return [
    ['reactors/publishing/new.ts', call, 'no-restricted-globals'],
    ['platforms/bluesky/new.ts', call, 'no-restricted-globals'],
    ['infra/http/new.ts', call],
    ...output.map((room): Case => [`${room}/new.ts`, `console.log('x')`, 'no-console']),
  ]
})

given('every room of the service has its rules', () => {
  const free = ['app', 'test', 'dist', 'data', 'node_modules', 'docs']
  const folders = readdirSync(root, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && ![...free, 'packages'].includes(entry.name),
    )
    .map(({ name }) => name)
  const code = reexport('../../../app/wiring/service.ts')
  const rooms = [...folders, 'packages/sandbox', 'packages/dashboard']
  return rooms.map((room) => [`${room}/room/new.ts`, code, 'rooms/imports'])
})

given('a pattern whose time grows faster than its text is reported', () => {
  const rule = 'regexp/no-super-linear-move'
  return [
    ['platforms/threads/new.ts', String.raw`export const x = /[.,;]+$/u`, rule],
    ['platforms/threads/new.ts', String.raw`export const x = /(a+)+b/`, 'regexp/no-super-linear-backtracking', rule],
    ['platforms/threads/new.ts', String.raw`export const x = /\/+$/`, rule],
  ]
})

given('a text of the dashboard that is not in its catalogue, and a hook that is called at times, are reported', () => {
  return [
    ['packages/dashboard/new.tsx', 'export const x = <p>Hello there</p>', 'lingui/no-unlocalized-strings'],
    [
      'packages/dashboard/new.tsx',
      `import { useState } from 'react'\nexport const useX = (y: boolean) => (y ? useState(0) : y)`,
      'react-hooks/rules-of-hooks',
    ],
  ]
})

/** The linter as `npm run check` runs it, but for the rules that need types, on files that are laid out as here. */
const folder = await mkdtemp(join(tmpdir(), 'fanfare-lint-'))
t.teardown(() => rm(folder, { recursive: true }))
await mkdir(join(folder, 'test'))
for (const shared of ['node_modules', 'test/lint-architecture.js'])
  await symlink(join(root, shared), join(folder, shared))
await writeFile(join(folder, 'oxlint.config.js'), CONFIG)
let files = 0
const placed = groups.map(({ what, cases }) => ({
  what,
  // Each in a file of its own, beside the one that it stands for.
  cases: cases.map(([file, code, ...rules]) => ({
    path: file.replace(/(?=\.tsx?$)/, `-${(files += 1)}`),
    code,
    rules,
  })),
}))
for (const { path, code } of placed.flatMap(({ cases }) => cases)) {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), `${code}\n`)
}
const found = await oxlint(
  folder,
  placed.flatMap(({ cases }) => cases.map(({ path }) => path)),
)
for (const { what, cases } of placed) {
  t.test(what, async (t) => {
    t.ok(cases.length > 0)
    for (const { path, code, rules } of cases) {
      t.same([...(found.get(path) ?? [])].toSorted(), rules.toSorted(), `${path}: ${code}`)
    }
  })
}
