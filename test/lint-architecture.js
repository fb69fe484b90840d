import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const LOG = ['event-log/codec.ts', 'event-log/event-log.ts', 'event-log/limits.ts', 'event-log/sealing.ts']
const PURE = ['zod', 'uuid', 'luxon']
const CONNECTOR = ['domain', 'infra/http', 'infra/media', 'platforms/kit']
const REACTOR = [
  'domain',
  'commands',
  'projections',
  'platforms/kit',
  'infra/postgres',
  'infra/http',
  'infra/media',
  'infra/ai',
  'infra/mail',
]
const API = ['domain', 'commands', 'projections', 'infra/media', 'infra/oidc', 'infra/postgres', ...LOG]
const V1_KITS = ['api/http', 'api/kit', 'api/openapi']

/**
 * What the files of each room may import from this repository, besides their own room and `infra/runtime`, and which globals they
 * may use that others receive as arguments. An entry is a file or a folder. The most deeply nested room, or a file's own entry, applies.
 */
const ROOMS = {
  infra: { imports: [] },
  'infra/runtime': { imports: [], knows: ['time', 'chance', 'settings'] },
  'infra/http': { imports: [], knows: ['other hosts'] },
  // Knex is loaded only when there is something to migrate.
  'infra/postgres/migrate.ts': { imports: [], importsLate: true },
  'infra/media': { imports: ['domain/core', 'infra/http/http.ts'] },
  'infra/ai': { imports: ['domain/core', 'domain/post', 'infra/http/http.ts', 'infra/http/http-fetch.ts'] },
  'infra/oidc': { imports: ['infra/http/http.ts', 'infra/http/http-fetch.ts'] },

  domain: { imports: ['domain/core'], packages: PURE },
  'domain/core': { imports: [], packages: PURE },
  'domain/conversation': { imports: ['domain/core', 'domain/account'], packages: PURE },
  'domain/recycling': { imports: ['domain/core', 'domain/post'], packages: PURE },
  'domain/media': { imports: ['domain/core', 'domain/post', 'domain/video'], packages: PURE },
  'domain/video': { imports: ['domain/core', 'domain/post'], packages: PURE },
  'domain/webhook': {
    imports: ['domain/account', 'domain/core', 'domain/conversation', 'domain/post'],
    packages: PURE,
  },
  'domain/log': { imports: ['domain'], packages: PURE },

  'event-log': { imports: ['domain/core'] },
  'event-log/codec.ts': { imports: ['domain/core', 'domain/log/event-kinds.ts'] },
  // Only the event log named by the settings is loaded.
  'event-log/open-log.ts': { imports: ['infra/postgres'], importsLate: true },
  'event-log/eventstoredb': { imports: ['domain/core', ...LOG, 'event-log/within.ts'] },
  'event-log/postgres': { imports: ['domain/core', ...LOG, 'infra/postgres'] },
  'event-log/tree': { imports: [...LOG, 'infra/postgres'] },

  commands: { imports: ['domain', 'event-log/event-log.ts'], packages: ['zod'] },

  projections: { imports: ['domain', 'projections/engine'] },
  'projections/engine': { imports: ['domain', 'event-log/event-log.ts', 'infra/postgres'] },
  'projections/models': { imports: ['domain', 'projections/engine', 'projections/agenda', 'infra/postgres'] },
  'projections/rebuild': { imports: ['domain', 'event-log/event-log.ts', 'projections', 'infra/postgres'] },
  // A worker thread cannot receive objects: it opens the log itself.
  'projections/rebuild/share-worker.ts': { imports: ['domain', 'event-log', 'projections', 'infra/postgres'] },

  platforms: { imports: [...CONNECTOR, 'platforms/google', 'platforms/meta'], knows: ['single platforms'] },
  'platforms/kit': { imports: CONNECTOR, knows: ['single platforms'] },
  'platforms/google': { imports: CONNECTOR, knows: ['single platforms'] },
  'platforms/meta': { imports: CONNECTOR, knows: ['single platforms'] },

  reactors: { imports: [...REACTOR, 'reactors/runtime', 'reactors/platform-calls'] },
  'reactors/runtime': { imports: REACTOR },
  'reactors/platform-calls': { imports: REACTOR },
  'reactors/forecast': {
    imports: [...REACTOR, 'reactors/platform-calls', 'reactors/publishing'],
  },
  'reactors/restored': {
    imports: [...REACTOR, 'reactors/platform-calls', 'reactors/publishing', 'reactors/conversations'],
  },

  api: { imports: [...API, 'infra/http/http.ts'] },
  'api/http': { imports: API },
  'api/kit': { imports: [...API, 'api/http'] },
  'api/openapi': { imports: [...API, 'api/http'] },
  'api/mcp': { imports: [...API, 'api/http', 'api/kit', 'api/openapi', 'api/oauth', 'api/mcp/tasks'] },
  'api/mcp/tasks': { imports: [...API, ...V1_KITS, 'api/mcp', 'api/v1'] },
  // Its library is loaded when somebody uses it.
  'api/oauth': {
    imports: [...API, 'api/http', 'api/kit', 'infra/http/http.ts', 'infra/http/http-fetch.ts'],
    importsLate: true,
  },
  'api/ops': { imports: [...API, 'api/http', 'api/v1/media', 'api/v1/videos'] },
  'api/v1': { imports: [...API, ...V1_KITS, 'platforms/post-options.ts'] },
  'api/dashboard': {
    imports: [...API, 'api/http', 'api/kit', 'api/oauth', 'api/v1/notifications', 'platforms/post-options.ts'],
  },

  'app/wiring': { imports: [...REACTOR, 'api', 'event-log', 'infra', 'platforms', 'reactors', 'app/telemetry'] },
  'app/telemetry': {
    imports: ['domain', 'projections', 'reactors', 'infra/postgres', 'infra/http/http.ts', 'event-log/event-log.ts'],
  },
  'app/cli': { imports: true, importsLate: true, knows: ['time', 'chance', 'settings', 'other hosts'] },

  'packages/sandbox': { imports: ['domain/core/platform.ts'], knows: ['single platforms'] },
  // A package for programs of others.
  'packages/client': { imports: ['docs/webhooks/verify.ts'], knows: ['time', 'chance', 'other hosts'] },
  // A browser has no injected clock or network, and pages are loaded on demand.
  'packages/dashboard': { imports: ['packages/client'], knows: ['time', 'other hosts'], importsLate: true },
  examples: { imports: [], knows: ['time', 'chance', 'settings', 'other hosts'] },
  'packages/bench': { imports: true, importsLate: true, knows: ['time', 'chance', 'settings', 'other hosts'] },
}

const PLATFORM_KEYS = /PLATFORM_KEYS = \[([^\]]+)\]/
  .exec(readFileSync(new URL('../domain/core/platform.ts', import.meta.url), 'utf8'))[1]
  .match(/\w+/g)
  .join('|')

/** What only rooms with the matching `knows` entry may use. */
const RESTRICTED = {
  time: {
    message: 'Ask the clock that is handed in.',
    globals: ['setTimeout', 'setInterval', 'performance'],
    properties: ['Date.now', 'AbortSignal.timeout', 'process.hrtime'],
    syntax: ['NewExpression[callee.name="Date"][arguments.length=0]', 'CallExpression[callee.name="Date"]'],
    imports: [{ regex: '^(node:)?timers', importNamePattern: '^(setTimeout|setInterval|scheduler)$' }],
  },
  chance: { message: 'Ask the ids that are handed in.', properties: ['Math.random'] },
  settings: {
    message: 'Take settings as arguments.',
    properties: ['process.env'],
    imports: [{ regex: '^(node:)?process$' }],
  },
  'other hosts': {
    message: 'Use the guarded HTTP client that is handed in.',
    globals: ['fetch'],
    imports: [{ regex: '^undici(/|$)' }],
  },
  'single platforms': {
    message: 'Only platforms/ and packages/sandbox/ know what a platform is like: let each one declare its own answer.',
    syntax: [
      `BinaryExpression[operator=/^[!=]==?$/] > Literal[value=/^(${PLATFORM_KEYS})$/]`,
      `SwitchCase > Literal[value=/^(${PLATFORM_KEYS})$/]`,
    ],
  },
}
/** `import('…')` would bypass the import rules. */
const LATE_IMPORT = { message: 'Import at the top of the file.', syntax: ['ImportExpression'] }
const ALL_OF_ZOD = {
  message: "Write import * as z from 'zod': the build then leaves out what nobody uses, such as forty languages.",
  syntax: ['ImportDeclaration[source.value="zod"] > ImportSpecifier[imported.name="z"]'],
}

const PURE_ONLY = {
  message: 'This folder is pure: no I/O, no clock, no random.',
  globals: ['crypto', 'process'],
}

/**
 * Reports imports from this repository that are neither in the file's own room nor in the list, and packages, if those it may use
 * are listed.
 */
const importsRule = {
  meta: { type: 'problem', schema: [{ type: 'array', items: { type: 'string' } }, { type: 'array' }] },
  create(context) {
    const [imports, packages] = context.options
    const file = relative(context.cwd, context.filename)
    const ownRoom = dirname(file).split('/').slice(0, 2).join('/')
    const allowed = [ownRoom, 'infra/runtime', ...imports]
    const check = (node) => {
      const from = node.source?.value
      if (typeof from !== 'string') return
      if (!from.startsWith('.')) {
        if (packages && !packages.includes(from)) context.report({ node, message: PURE_ONLY.message })
        return
      }
      const target = join(dirname(file), from)
      if (allowed.some((entry) => target === entry || target.startsWith(`${entry}/`))) return
      context.report({ node, message: `${ownRoom}/ may not import ${target}.` })
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check }
  },
}

/** `no-restricted-syntax` of ESLint. */
const syntaxRule = {
  meta: { type: 'problem', schema: [{ type: 'array' }] },
  create: (context) =>
    Object.fromEntries(
      context.options[0].map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
}

function rulesFor({ imports, packages, knows = [], importsLate = false }) {
  const restrictions = [
    ALL_OF_ZOD,
    ...(importsLate ? [] : [LATE_IMPORT]),
    ...(packages ? [PURE_ONLY] : []),
    ...Object.keys(RESTRICTED)
      .filter((thing) => !knows.includes(thing))
      .map((thing) => RESTRICTED[thing]),
  ]
  const all = (kind, rule) => restrictions.flatMap(({ message, [kind]: of = [] }) => of.map((it) => rule(it, message)))
  const property = (path, message) => ({ object: path.split('.')[0], property: path.split('.')[1], message })
  const globals = all('globals', (name, message) => ({ name, message }))
  // Without options, a rule would inherit those of the outer room.
  const restricted = (options) => (options.length > 0 ? ['error', ...options] : 'off')
  const patterns = all('imports', (pattern, message) => ({ ...pattern, message }))
  return {
    'rooms/imports': imports === true ? 'off' : ['error', imports, ...(packages ? [packages] : [])],
    'no-restricted-imports': restricted(patterns.length > 0 ? [{ patterns }] : []),
    'rooms/syntax': ['error', all('syntax', (selector, message) => ({ selector, message }))],
    'no-restricted-properties': restricted(all('properties', property)),
    'no-restricted-globals': restricted(globals.length > 0 ? [{ globals, checkGlobalObject: true }] : []),
  }
}

export default { rules: { imports: importsRule, syntax: syntaxRule } }

export const architecture = Object.entries(ROOMS).map(([room, may]) => ({
  files: [room.endsWith('.ts') ? room : `${room}/**/*.{ts,tsx}`],
  rules: rulesFor(may),
}))
