/**
 * What each folder may import of ours, and which things it may know that the others are handed. `system/` may be imported
 * by all; `main.ts`, `cli/`, `test/` and `bench/` only by `cli/`, `test/` and `bench/`.
 */
const FOLDERS = {
  system: { imports: [], knows: ['time', 'chance', 'settings'] },
  domain: { imports: [], packages: ['zod', 'uuid', 'luxon'] },
  database: { imports: [] },
  'event-log': { imports: ['domain/'] },
  commands: { imports: ['domain/', 'event-log/event-log.ts'], packages: ['zod'] },
  projections: { imports: ['domain/', 'event-log/event-log.ts', 'database/'] },
  platforms: { imports: ['domain/'], knows: ['other hosts', 'single platforms'] },
  ai: { imports: ['domain/', 'platforms/http.ts'] },
  media: { imports: ['domain/', 'platforms/http.ts'] },
  reactors: { imports: ['domain/', 'commands/', 'projections/', 'platforms/', 'ai/', 'media/', 'database/'] },
  api: {
    imports: [
      ...['domain/', 'commands/', 'projections/', 'media/', 'database/'],
      ...['event-log/event-log.ts', 'event-log/limits.ts'],
    ],
  },
  sandbox: { imports: ['domain/platform.ts'], knows: ['single platforms'] },
  telemetry: {
    imports: [
      ...['domain/', 'projections/', 'database/', 'reactors/'],
      ...['event-log/event-log.ts', 'platforms/http.ts'],
    ],
  },
  // In a browser nobody hands over the time or the network, and a page is fetched when it is opened.
  dashboard: { imports: ['client/'], knows: ['time', 'other hosts'], importsLate: true },
}
/** The one log that is made of tables. */
const POSTGRES_LOG = { imports: ['domain/', 'database/'] }
/** Of the logs, one is loaded: that which the settings name. */
const CHOICE_OF_LOG = { imports: ['database/'], importsLate: true }
/** A thread is handed no objects: its program opens what it works with. */
const THREAD = { imports: ['domain/', 'database/', 'event-log/'] }
const WIRING = { files: ['main.ts'] }
const EDGE = { files: ['cli/**/*.ts', 'bench/**/*.ts'], knows: ['time', 'chance', 'settings', 'other hosts'] }

const PLATFORM_KEYS = 'instagram|youtube|x|facebook|threads|tiktok|linkedin|bluesky|pinterest|googlebusiness'

/** What only those may use who know it. */
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
    imports: [{ regex: '^undici$' }],
  },
  'single platforms': {
    message: 'Only platforms/ knows what a platform is like: let each one declare its own answer.',
    syntax: [
      `BinaryExpression[operator=/^[!=]==?$/] > Literal[value=/^(${PLATFORM_KEYS})$/]`,
      `SwitchCase > Literal[value=/^(${PLATFORM_KEYS})$/]`,
    ],
  },
}
/** `import('…')` would get by the rules on imports. */
const LATE_IMPORT = { message: 'Import at the top of the file.', syntax: ['ImportExpression'] }

function pure(packages) {
  const message = 'This folder is pure: no I/O, no clock, no random.'
  return { message, globals: ['crypto', 'process'], imports: [{ regex: `^(?!\\.|(${packages.join('|')})$)` }] }
}

function otherFolders(imports) {
  const escaped = (path) => path.replaceAll('.', '\\.')
  const ours = [...Object.keys(FOLDERS), 'cli', 'test', 'bench'].map((folder) => `${folder}/`).join('|')
  const regex = `^(\\.\\./)+(?!${['system/', ...imports].map(escaped).join('|')})(${ours}|main\\.ts$)`
  return { message: `Of ours, only ${['system/', ...imports].join(', ')} may be imported here.`, imports: [{ regex }] }
}

function rulesFor({ imports, packages, knows = [], importsLate = false }) {
  const restrictions = [
    ...(imports ? [otherFolders(imports), ...(importsLate ? [] : [LATE_IMPORT])] : []),
    ...(packages ? [pure(packages)] : []),
    ...Object.keys(RESTRICTED)
      .filter((thing) => !knows.includes(thing))
      .map((thing) => RESTRICTED[thing]),
  ]
  const all = (kind, rule) => restrictions.flatMap(({ message, [kind]: of = [] }) => of.map((it) => rule(it, message)))
  const property = (path, message) => ({ object: path.split('.')[0], property: path.split('.')[1], message })
  const globals = all('globals', (name, message) => ({ name, message }))
  return {
    'no-restricted-imports': ['error', { patterns: all('imports', (pattern, message) => ({ ...pattern, message })) }],
    'no-restricted-syntax': ['error', ...all('syntax', (selector, message) => ({ selector, message }))],
    'no-restricted-properties': ['error', ...all('properties', property)],
    'no-restricted-globals': ['error', { globals, checkGlobalObject: true }],
  }
}

export const architecture = [
  ...Object.entries(FOLDERS).map(([folder, may]) => ({ files: [`${folder}/**/*.{ts,tsx}`], rules: rulesFor(may) })),
  { files: ['event-log/postgres*.ts'], rules: rulesFor(POSTGRES_LOG) },
  { files: ['event-log/open-log.ts'], rules: rulesFor(CHOICE_OF_LOG) },
  { files: ['projections/rebuild/share-worker.ts'], rules: rulesFor(THREAD) },
  { files: WIRING.files, rules: rulesFor(WIRING) },
  { files: EDGE.files, rules: rulesFor(EDGE) },
]
