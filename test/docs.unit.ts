import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import * as apps from 'kubernetes-models/apps/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { PLATFORM_KEYS, PLATFORM_NAMES } from '../domain/core/platform.ts'
import { platforms } from '../platforms/registry.ts'
import { RETENTION } from '../platforms/retention.ts'
import { readSettings, ROLES } from '../infra/runtime/settings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string) => readFile(join(root, path), 'utf8')
const allMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '')

const namesInSchema = async () => allMatches(await textOf('infra/runtime/settings.ts'), /^ {2}([A-Z][A-Z0-9_]+):/gm)

/** Of the logins for which an operator can have an app. */
const appSettings = Object.values(platforms)
  .flatMap(({ key, logins }) =>
    logins.filter(({ authorization }) => !authorization.register).map(({ app = key }) => app.toUpperCase()),
  )
  .flatMap((app) => ['ID', 'SECRET'].map((field) => `${app}_CLIENT_${field}`))

const service = z.object({
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional() }).optional(),
})
const composeFile = z.object({ services: z.record(z.string(), service) })
const servicesOfCompose = async () =>
  composeFile.parse(parse(await textOf('docker-compose.yml'), { merge: true })).services

t.test('docs/settings.md names every setting, and no other', async (t) => {
  const documented = allMatches(await textOf('docs/settings.md'), /^\| `([A-Z0-9_]+)`/gm)
  const names = await namesInSchema()
  t.ok(names.includes('PORT'))
  t.same(documented.filter((name) => !name.startsWith('FANFARE_TEST_')).sort(), [...names].sort())
})

t.test('docs/verify-proof.mjs is short enough to be read before it is trusted', async (t) => {
  const lines = (await textOf('docs/verify-proof.mjs')).trimEnd().split('\n')
  t.ok(lines.length <= 100, `${lines.length} lines`)
  t.same(
    lines.filter((line) => line.length > 120),
    [],
  )
})

t.test('docs/privacy.md says how long the data of each platform is kept', async (t) => {
  const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())
  const rows = (await textOf('docs/privacy.md')).split('\n').map(cellsOf)
  const documented = new Map(
    rows.flatMap(([, names = '', ...times]) => names.split(', ').map((name) => [name, times.slice(0, 4)] as const)),
  )
  const inWords = (ms: number | undefined) => {
    if (ms === undefined) return '–'
    const hours = ms / 3_600_000
    return hours === 0 ? 'at once' : hours <= 24 ? `${hours} hours` : `${hours / 24} days`
  }
  for (const key of PLATFORM_KEYS) {
    const { commentsMs, metricsMs, competitorsMs, afterDisconnectMs } = RETENTION[key]
    const said = [commentsMs, metricsMs, competitorsMs, afterDisconnectMs].map(inWords)
    t.same(documented.get(PLATFORM_NAMES[key]), said, key)
  }
})

t.test('docs/settings.md gives the defaults that there are', async (t) => {
  const documented = new Map(
    [...(await textOf('docs/settings.md')).matchAll(/^\| `([A-Z0-9_]+)` +\| `([^`]+)` +\|/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
  t.ok(documented.size > 8)
  const given = readSettings({ ...Object.fromEntries(documented) })
  t.same(given, readSettings({}))
})

t.test('links between the documents lead somewhere', async (t) => {
  const inDocs = (await readdir(join(root, 'docs'), { recursive: true })).map((name) => join('docs', name))
  for (const page of ['README.md', ...inDocs.filter((name) => name.endsWith('.md'))]) {
    for (const link of allMatches(await textOf(page), /\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(link)) continue
      await t.resolves(access(join(root, dirname(page), link)), `${page} links to ${link}`)
    }
  }
})

t.test('every decision is on the list', async (t) => {
  const list = await textOf('docs/decisions/README.md')
  const pages = (await readdir(join(root, 'docs/decisions'))).filter((name) => /^\d{4}-/.test(name))
  t.ok(pages.length >= 10)
  for (const page of pages) t.ok(list.includes(`(${page})`), page)
})

t.test('docker-compose.yml gives the service settings that it takes', async (t) => {
  const variables: Readonly<Record<string, string>> = {
    POSTGRES_PASSWORD: 'secret',
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  }
  const filledIn = (value: string) => value.replace(/\$\{(\w+):[^}]*\}/g, (_, name: string) => variables[name] ?? '')
  for (const { environment, command } of Object.values(await servicesOfCompose())) {
    if (command?.[0] !== 'serve') continue
    const given = Object.entries(environment ?? {}).map(([key, value]) => [key, filledIn(value)] as const)
    const settings = readSettings(Object.fromEntries(given))
    t.match(settings, { DATABASE_URL: /^postgres:/, EVENTSTORE_URL: /^esdb:/, NATS_URL: /^nats:/, SANDBOX: 'off' })
  }
})

t.test('docker-compose.yml passes every setting on', async (t) => {
  const ofTheContainer = ['PORT', 'HOST', 'SANDBOX_HOST', 'DATA_DIR', 'NODE_NAME']
  const fixed = ['EVENTSTORE_URL', 'DATABASE_URL', 'NATS_URL', 'ENCRYPTION_KEY', 'METRICS_PORT', 'METRICS_HOST']
  const names = [...(await namesInSchema()), ...new Set(appSettings)].filter((name) => !ofTheContainer.includes(name))
  t.ok(names.includes('X_CLIENT_SECRET') && names.includes('SCHEDULE_GRACE'))
  for (const [name, { environment = {}, command }] of Object.entries(await servicesOfCompose())) {
    if (command?.[0] !== 'serve') continue
    t.same(Object.keys(environment).sort(), [...names].sort(), name)
    for (const setting of names) {
      if (!fixed.includes(setting)) t.equal(environment[setting], `\${${setting}:-}`, `${name} is given ${setting}`)
    }
  }
})

const { Deployment, StatefulSet } = apps
const KINDS = { ...core, ...policy, Deployment, StatefulSet }
const resource = z.object({ apiVersion: z.string(), kind: z.string(), metadata: z.object({ name: z.string() }) })
const variables = z.record(z.string(), z.string()).default({})
const workload = z.object({
  spec: z.object({
    serviceName: z.string().optional(),
    template: z.object({
      spec: z.object({
        containers: z.array(
          z.object({
            image: z.string(),
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
          }),
        ),
      }),
    }),
  }),
})

for (const name of ['one', 'roles']) {
  t.test(`docs/kubernetes/${name}.yaml is valid, and gives this version settings that it takes`, async (t) => {
    const found = parseAllDocuments(await textOf(`docs/kubernetes/${name}.yaml`)).map((one) => one.toJS() as object)
    const resources = found.map((manifest) => ({ ...resource.parse(manifest), manifest }))
    const filledIn = Buffer.alloc(32).toString('base64')
    const data = found.flatMap((one) => [
      ...Object.entries(variables.parse('data' in one ? one.data : undefined)),
      ...Object.entries(variables.parse('stringData' in one ? one.stringData : undefined)),
    ])
    const known = [...(await namesInSchema()), ...appSettings]
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(await textOf('package.json')))
    const roles: string[] = []
    for (const { apiVersion, kind, metadata, manifest } of resources) {
      const Kind = KINDS[kind as keyof typeof KINDS] as new (manifest: object) => {
        apiVersion: string
        validate(): void
      }
      const model = new Kind(manifest)
      t.doesNotThrow(() => model.validate(), `${kind} ${metadata.name}`)
      t.equal(model.apiVersion, apiVersion)
      if (kind !== 'Deployment' && kind !== 'StatefulSet') continue
      const { serviceName, template } = workload.parse(manifest).spec
      if (serviceName !== undefined) {
        t.ok(resources.some((one) => one.kind === 'Service' && one.metadata.name === serviceName))
      }
      for (const { image, args, env } of template.spec.containers) {
        t.equal(image, `fanfare:${version}`)
        roles.push(...(args[2] === undefined ? ROLES : [args[2]]))
        const given = [...data, ...env.map((one) => [one.name, one.value ?? 'pod-0'] as const)]
        const settings = Object.fromEntries(given.map(([name, value]) => [name, value || filledIn]))
        t.doesNotThrow(() => readSettings(settings))
        for (const setting of Object.keys(settings)) t.ok(known.includes(setting), setting)
      }
    }
    t.same(roles.sort(), [...ROLES].sort())
  })
}

t.test('docker-compose.yml runs every role, on pinned servers that are waited for', async (t) => {
  const services = await servicesOfCompose()
  const roles = Object.values(services).flatMap(({ command }) => (command?.[0] === 'serve' ? command.slice(2) : []))
  t.same(roles.sort(), [...ROLES].sort())
  for (const [name, { image = '', depends_on = {}, command }] of Object.entries(services)) {
    for (const needed of Object.keys(depends_on))
      t.ok(services[needed]?.healthcheck?.test, `${name} waits for ${needed}`)
    if (command?.[0] === 'serve') t.same(Object.keys(depends_on).sort(), ['eventstore', 'nats', 'postgres'], name)
    else t.match(image, /:\d/, `${name} is pinned`)
  }
})
