import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod'
import { answerError } from '../api/http/error-answer.ts'
import { metricsRoute } from '../api/ops/metrics.ts'
import { connect } from '../app/cli/accounts.ts'
import { grant } from '../app/cli/credits.ts'
import { addKey } from '../app/cli/keys.ts'
import { shownHere } from '../app/wiring/metrics.ts'
import { addWorkspace } from '../app/cli/workspaces.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import { openCore, type Core } from '../app/wiring/core.ts'
import { redaction } from '../reactors/platform-calls/redaction.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { hiding } from '../infra/runtime/secrets.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { MEASURES } from '../app/telemetry/measures.ts'
import { createMetrics } from '../app/telemetry/prometheus.ts'
import { startTraceSdk } from '../app/telemetry/sdk.ts'
import { givenEchoingProxy } from './support/echoing-proxy.ts'
import { emptyDatabase } from './support/postgres.ts'
import { parsedMetrics } from './support/prometheus.ts'
import { givenAccount, givenHttp, givenSandbox } from './support/sandbox.ts'
import { freePort } from './support/free-port.ts'
import { givenServing, until } from './support/service-process.ts'
import { givenTraceReceiver } from './support/trace-receiver.ts'
import { virtualClock } from './support/virtual-clock.ts'

/** The service at work, with a secret in every place that can hold one, and how each of them could be read again. */

const planted = (name: string) => `canary-${name}-${randomBytes(16).toString('hex')}`
const queuedSchema = z.object({ id: z.string() })
const postSchema = z.object({ status: z.string(), results: z.record(z.string(), z.unknown()).optional() })

/** As it is, in base64 wherever it begins, in hexadecimal, in a URL. Written apart from what hides them. */
function formsOf(secret: string): readonly string[] {
  const whole = ['', 'x', 'xx'].map((before) => {
    const text = Buffer.from(before + secret).toString('base64')
    return text.slice(4, text.length - 8)
  })
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    ...whole,
    ...whole.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ].filter((form) => form.length >= 12)
}

/** Where a server's fault before the visible call is seen: after it the outcome would have to be waited for. */
const TRIED_AGAIN: readonly PlatformKey[] = ['x', 'linkedin', 'bluesky', 'tiktok']

t.test('given the service at work, with a secret in every place that can hold one', async (t) => {
  const secrets = new Map<string, string>()
  const plant = (name: string, value = planted(name)): string => {
    secrets.set(`${name} (${secrets.size})`, value)
    return value
  }
  const answers: string[] = []
  const http = givenHttp(t)
  const sandbox = await givenSandbox(t)
  const platforms = await givenEchoingProxy(t, sandbox.url)
  const others = await givenEchoingProxy(t)
  const receiver = await givenTraceReceiver(t)
  const DATABASE_URL = await emptyDatabase(t)
  const ENCRYPTION_KEY = plant('ENCRYPTION_KEY', randomBytes(32).toString('base64'))
  const databasePassword = decodeURIComponent(new URL(DATABASE_URL).password)
  if (databasePassword.length >= 12) plant('DATABASE_URL', databasePassword)
  const metricsPort = await freePort()
  const metricsToken = plant('METRICS_TOKEN')
  const common = { DATABASE_URL, ENCRYPTION_KEY, OUTBOUND_ALLOW: '127.0.0.1', SANDBOX: 'off' }
  const service = await givenServing(t, {
    ...common,
    LOG_LEVEL: 'debug',
    METRICS_PORT: String(metricsPort),
    METRICS_TOKEN: metricsToken,
    RATE_LIMIT_PER_MINUTE: '100000',
    RETRY_DELAYS: '50ms',
    WEBHOOK_RETRY_DELAYS: '50ms',
    ...{ AI_PROVIDER: 'openai-compatible', AI_MODEL: 'm', AI_API_KEY: plant('AI_API_KEY'), AI_BASE_URL: others.url },
    ...{ VIDEO_PROVIDER: 'replicate', VIDEO_MODEL: 'a/b', VIDEO_API_KEY: plant('VIDEO_API_KEY') },
    ...{ VIDEO_BASE_URL: others.url, SPEECH_PROVIDER: 'openai', SPEECH_MODEL: 'm', SPEECH_BASE_URL: others.url },
    ...{ SPEECH_API_KEY: plant('SPEECH_API_KEY'), X_CLIENT_ID: 'app', X_CLIENT_SECRET: plant('X_CLIENT_SECRET') },
    ...{ MEDIA_S3_ENDPOINT: others.url, MEDIA_S3_BUCKET: 'bucket', MEDIA_S3_ACCESS_KEY_ID: 'access' },
    MEDIA_S3_SECRET_ACCESS_KEY: plant('MEDIA_S3_SECRET_ACCESS_KEY'),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${plant('OTEL_EXPORTER_OTLP_HEADERS')}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
  const core = await givenCore(t, common)
  await addWorkspace(core, 'own')
  await grant(core, { workspace: 'own', amount: '10' })
  const { key } = await addKey(core, { workspace: 'own', scopes: 'all' })
  plant('API key', key)
  plant('secret of the API key', key.split('_').slice(2).join('_'))

  const call = async (path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    answers.push(text)
    return { status: response.status, body: z.record(z.string(), z.unknown()).catch({}).parse(JSON.parse(text)) }
  }
  const connected = async (platform: PlatformKey, through: string) => {
    const { credentials, baseUrl } = await givenAccount(http, sandbox, platform)
    for (const [name, value] of Object.entries(credentials)) {
      if (/token|password|secret/i.test(name)) plant(`${platform} ${name}`, value)
    }
    const given = { credentials, baseUrl: baseUrl.replace(sandbox.url, through) }
    return (await connect(core, { platform, workspace: 'own', ...given })).id
  }
  const image = `${sandbox.url}/media/sample.jpg?signature=${plant('query of a media URL')}`
  const post = async (selections: Readonly<Record<string, readonly string[]>>) => {
    const content = { mediaUrl: image, mediaType: 'image', caption: plant('caption') }
    const { status, body } = await call('/v1/posts', { ...content, selections })
    t.equal(status, 202)
    return queuedSchema.parse(body).id
  }
  const settled = (id: string) =>
    until(`${id} to settle`, 60_000, async () => {
      const { body } = await call(`/v1/posts/${id}`)
      return postSchema.parse(body).status === 'processing' ? undefined : postSchema.parse(body).status
    })
  const scrape = (headers: Readonly<Record<string, string>>) =>
    fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers })
  const metricsText = async () => (await scrape({ authorization: `Bearer ${metricsToken}` })).text()
  t.equal((await scrape({})).status, 401)
  t.equal((await scrape({ authorization: 'Bearer x' })).status, 401)
  const metrics = async () => parsedMetrics(await metricsText())
  const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId)

  const x = await connected('x', sandbox.url)

  await t.test('when a post is asked for, then its whole life is one trace, from the request on', async (t) => {
    const id = await post({ x: [x], nowhere: ['acc_1'] })
    t.equal(await settled(id), 'published')
    const isOurs = ({ attributes }: { attributes: Record<string, unknown> }) =>
      String(attributes['fanfare.stream']).endsWith(id)
    const published = await until('the trace', 60_000, async () =>
      receiver.spans.find((span) => isOurs(span) && String(span.attributes['fanfare.events']).includes('PostFinished')),
    )
    const spans = await until('the whole trace', 60_000, async () => {
      const found = spansOf(published.traceId)
      return found.some(({ name }) => name === 'POST /v1/posts') && found.some(({ name }) => name === 'work publish')
        ? found
        : undefined
    })
    const named = (name: string) => spans.filter((span) => span.name === name)
    const [request] = named('POST /v1/posts')
    t.match(request, { parentSpanId: undefined, kind: 2, attributes: { 'http.response.status_code': 202 } })
    t.ok(named('append post').length >= 4)
    for (const work of named('work publish')) t.equal(work.parentSpanId, request?.spanId)
    const works = new Set(named('work publish').map(({ spanId }) => spanId))
    const [visible] = named('POST x').filter(({ attributes }) => attributes['url.template'] === '/x/2/tweets')
    t.ok(works.has(visible?.parentSpanId ?? ''), 'the platform was called within the work')
    t.match(visible, { kind: 3, attributes: { 'server.address': '127.0.0.1', 'http.request.method': 'POST' } })
    const known = new Set(spans.map(({ spanId }) => spanId))
    t.same(
      spans
        .filter(({ parentSpanId }) => parentSpanId !== undefined && !known.has(parentSpanId))
        .map(({ name }) => name),
      [],
      'each span has its parent in the trace',
    )
  })

  await t.test(
    'when the caller has a trace of its own, then the request is in it, and the two are linked',
    async (t) => {
      const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
      const { body } = await call(
        '/v1/posts',
        { mediaUrl: image, mediaType: 'image', selections: { nowhere: ['acc_1'] } },
        { traceparent: `00-${traceId}-${spanId}-01`, 'x-request-id': 'asked-1' },
      )
      const { id } = queuedSchema.parse(body)
      const request = await until('the request', 60_000, async () =>
        spansOf(traceId).find(({ name }) => name === 'POST /v1/posts'),
      )
      t.match(request, { parentSpanId: spanId, attributes: { 'fanfare.request_id': 'asked-1' } })
      const beginning = await until('the post’s own trace', 60_000, async () =>
        receiver.spans.find(
          ({ name, attributes }) => name === 'begin post' && String(attributes['fanfare.stream']).endsWith(id),
        ),
      )
      t.not(beginning.traceId, traceId)
      t.match(beginning.links, [{ traceId, spanId: request.spanId }])
      const [append] = spansOf(traceId).filter(({ name }) => name === 'append post')
      t.match(append, {
        parentSpanId: request.spanId,
        links: [{ traceId: beginning.traceId, spanId: beginning.spanId }],
      })
      t.match(service.said(), /"requestId":"asked-1".*"route":"\/v1\/posts".*"status":202/)
      t.match(service.said(), new RegExp(`"stream":"post-${id}".*"correlationId":"${id}","requestId":"asked-1"`))
    },
  )

  await t.test('when a trace’s caller asks for none, then none is made', async (t) => {
    const traceId = randomBytes(16).toString('hex')
    await call('/v1/posts', undefined, { traceparent: `00-${traceId}-${'ab'.repeat(8)}-00` })
    const marked = `${randomBytes(16).toString('hex')}`
    await call('/v1/posts', undefined, { traceparent: `00-${marked}-${'ab'.repeat(8)}-01` })
    await until('the trace after it', 60_000, async () => spansOf(marked)[0])
    t.same(spansOf(traceId), [])
  })

  await t.test(
    'when platforms, AIs and receivers echo everything they receive, then everything still settles',
    async (t) => {
      const selections: Record<string, string[]> = {}
      for (const platform of PLATFORM_KEYS) selections[platform] = [await connected(platform, platforms.url)]
      const hook = await fetch(`${service.url}/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${others.url}/hook`, events: ['post.published', 'post.failed'] }),
      })
      plant('webhook secret', z.object({ secret: z.string() }).parse(await hook.json()).secret)
      for (const [status, asked] of [
        [400, PLATFORM_KEYS],
        [401, PLATFORM_KEYS],
        [500, TRIED_AGAIN],
      ] as const) {
        platforms.echo(status)
        const id = await post(Object.fromEntries(asked.map((platform) => [platform, selections[platform] ?? []])))
        t.equal(await settled(id), 'publish_failed', `answered ${status}`)
      }
      const video = await call('/v1/videos', { prompt: 'A fish', aiVoiceover: true })
      await until('the video to fail', 60_000, async () => {
        const { body } = await call(`/v1/videos/${String(video.body['id'])}`)
        return body['status'] === 'failed' ? true : undefined
      })
      const { body } = await call('/v1/posts')
      const [first] = z
        .object({ posts: z.array(z.object({ id: z.string(), status: z.string() })) })
        .parse(body)
        .posts.filter(({ status }) => status === 'published')
      const rule = await call('/v1/recycling-rules', { sourcePostId: first?.id, rewriteCaption: true })
      await call(`/v1/recycling-rules/${String(rule.body['id'])}/run-now`, {})
      await until('the rule to fail', 60_000, async () => {
        const { body } = await call(`/v1/recycling-rules/${String(rule.body['id'])}`)
        return body['lastError']
      })
      await t.rejects(
        connect(core, {
          platform: 'x',
          workspace: 'own',
          baseUrl: `${platforms.url}/x`,
          credentials: { accessToken: plant('refused token') },
        }),
      )
    },
  )

  await t.test('when requests hold secrets where they do not belong, then they are refused', async (t) => {
    const wrong = plant('guessed key', `fnf_${randomBytes(24).toString('base64url')}`)
    for (const headers of [
      { authorization: `Bearer ${wrong}` },
      { authorization: wrong },
      { authorization: `Basic ${wrong}` },
    ]) {
      t.equal((await call('/v1/posts', undefined, headers)).status, 401)
    }
    t.equal((await call(`/v1/nothing?api_key=${key}`)).status, 404)
    t.equal((await call('/v1/posts/%')).status, 400)
    t.equal((await fetch(`${service.url}/media/${'0'.repeat(40)}.mp4`)).status >= 400, true)
    t.equal((await call(`/v1/posts?cursor=${key}`)).status, 400)
  })

  await t.test('then the metrics tell of it all, in bounded labels', async (t) => {
    await until('the deliveries to fail', 60_000, async () => {
      const { value } = await metrics()
      return value('fanfare_webhook_attempts_total', { outcome: 'failed', answer: '4xx' }) > 0 ? true : undefined
    })
    const { value, samples } = await metrics()
    t.ok(value('fanfare_http_requests_total', { method: 'POST', route: '/v1/posts', status: '202' }) >= 5)
    t.ok(value('fanfare_http_requests_total', { method: 'GET', route: 'unknown', status: '404' }) >= 1)
    t.equal(value('fanfare_publish_outcomes_total', { platform: 'x', outcome: 'published' }), 1)
    t.equal(value('fanfare_publish_outcomes_total', { platform: 'other', outcome: 'refused' }), 2)
    for (const platform of PLATFORM_KEYS) {
      const failed = ['permanent', 'needs_reauth', 'gave_up', 'unknown'].map((outcome) =>
        value('fanfare_publish_outcomes_total', { platform, outcome }),
      )
      t.equal(
        failed.reduce((sum, count) => sum + count, 0),
        TRIED_AGAIN.includes(platform) ? 3 : 2,
        `${platform}: ${failed.join(', ')}`,
      )
    }
    t.ok(value('fanfare_outbound_calls_total', { to: 'ai', answer: '4xx' }) >= 2)
    t.ok(value('fanfare_outbound_calls_total', { to: 'webhook', answer: '4xx' }) >= 2)
    t.ok(value('fanfare_outbound_calls_total', { to: 'media', answer: '2xx' }) >= 1)
    t.ok(value('fanfare_appended_events_total', { category: 'post' }) > 50)
    t.ok(value('fanfare_work_total', { kind: 'publish', outcome: 'done' }) >= 20)
    t.ok(value('fanfare_accounts', { platform: 'x', standing: 'needs_reauth' }) >= 1)
    for (const part of ['agenda', 'deliveries', 'accounts', 'projections', 'fan-out', 'automate-replies']) {
      t.equal(value('fanfare_scrape_ok', { part }), 1, part)
    }
    const ids = samples.filter(({ labels }) =>
      Object.values(labels).some((label) => /[0-9A-Z]{20}|[0-9a-f]{12}/.test(label)),
    )
    t.same(ids, [], 'no label is an id')
    t.ok(samples.length < 3_000, `${samples.length} samples`)
  })

  await t.test('then no trace header was sent to anyone else', async (t) => {
    t.ok(platforms.headers.length > 30)
    const told = [...platforms.headers, ...others.headers].filter(
      (headers) => 'traceparent' in headers || 'tracestate' in headers,
    )
    t.same(told, [])
  })

  await t.test(
    'then no secret is anywhere: not in the log, the metrics, the traces, the events or the answers',
    async (t) => {
      for (const path of ['/v1/accounts', '/v1/webhooks', '/v1/videos', '/v1/events', '/v1/posts?limit=100'])
        await call(path)
      const { rows } = await core.db.query<{ text: string }>(
        `select t::text as text from log.events t union all select t::text from read.posts t
       union all select t::text from read.accounts t union all select t::text from read.agenda t
       union all select t::text from read.deliveries t union all select t::text from read.public_events t
       union all select t::text from service.idempotency_keys t`,
      )
      const places: Readonly<Record<string, readonly string[]>> = {
        log: service.said().split('\n'),
        metrics: [await metricsText()],
        traces: receiver.spans.map((span) => JSON.stringify(span)),
        database: rows.map(({ text }) => text),
        answers,
      }
      t.ok(secrets.size > 25, `${secrets.size} secrets are planted`)
      for (const [place, texts] of Object.entries(places))
        t.ok(texts.length > 0 && texts.join('').length > 1_000, place)
      // A caption and the address of a medium are the user's own, to be shown; watching is nobody's business with them.
      const isShown = (name: string) => /^(caption|query of a media URL) /.test(name)
      const found = [...secrets].flatMap(([name, secret]) =>
        Object.entries(places)
          .filter(([place]) => !isShown(name) || !['database', 'answers'].includes(place))
          .flatMap(([place, texts]) =>
            formsOf(secret).flatMap((form) =>
              texts
                .filter((text) => text.includes(form))
                .slice(0, 1)
                .map((text) => {
                  const at = text.indexOf(form)
                  return `${name} in ${place}: ${text.slice(Math.max(0, at - 200), at)}…`
                }),
            ),
          ),
      )
      t.same(found, [])
    },
  )
})

async function givenCore(t: Test, environment: Readonly<Record<string, string>>): Promise<Core> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'fanfare-telemetry-'))
  const core = await openCore(readSettings({ ...environment, DATA_DIR }), createLogger('silent'), () => undefined)
  t.teardown(async () => {
    await core.close()
    await rm(DATA_DIR, { recursive: true, force: true })
  })
  return core
}

const root = new URL('..', import.meta.url)
const textOf = (path: string) => readFile(new URL(path, root), 'utf8')
const silent = createLogger('silent')
const panelSchema = z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })
const dashboardSchema = z.object({ panels: z.array(panelSchema) })
const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})

/** The metrics that a query is made of, as Prometheus' own grammar reads it. */
function metricsIn(query: string): readonly string[] {
  const written = query.replaceAll('$__rate_interval', '5m')
  const names: string[] = []
  parser.parse(written).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`not a query: ${query} at ${from}`)
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector') names.push(written.slice(from, to))
    },
  })
  return names
}

t.test('what the dashboard and the alerts ask for is there, and all that is there is documented', async (t) => {
  const { names, types } = parsedMetrics((await createMetrics({ clock: systemClock, logger: silent }).text()).body)
  const told = new Set(names.flatMap((name) => (types.get(name) === 'HISTOGRAM' ? [`${name}_bucket`] : [name])))
  const { panels } = dashboardSchema.parse(JSON.parse(await textOf('docs/grafana/fanfare.json')))
  const { groups } = rulesSchema.parse(parseYaml(await textOf('docs/grafana/alerts.yml')))
  const queries = [
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ]
  t.ok(queries.length > 40, `${queries.length} queries`)
  for (const [title, query] of queries) {
    t.same(
      metricsIn(query).filter((name) => !told.has(name)),
      [],
      title,
    )
  }
  const documented = [...(await textOf('docs/metrics.md')).matchAll(/^\| `(fanfare_\w+)` +\|([^|]*)\|/gm)].map(
    ([, name = '', labels = '']) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)],
  )
  const measured = Object.entries(MEASURES).map(([name, { labels }]) => [name, [...labels]])
  t.same(Object.fromEntries(documented), Object.fromEntries(measured))
  t.throws(() => metricsIn('sum(rate(fanfare_appends_total[5m])'), 'a query that is none is found')
})

t.test('secrets are taken out of every kind of error, and of what it was caused by', async (t) => {
  const secret = 'sec-0123456789-ret'
  const { credentials, hideIn } = redaction()
  await credentials({ read: async () => ({ appPassword: secret }), renew: async () => ({}) }).read()
  const inner = new Error(`no ${secret}`)
  const aborted = new DOMException(`stopped at ${secret}`, 'AbortError')
  const outer = new Error(`${secret} failed`, { cause: Object.assign(aborted, { cause: inner }) })
  // In a circle, as it should never be.
  inner.cause = outer
  hideIn(outer)
  for (const { message, stack = '' } of [outer, aborted, inner]) t.notMatch(message + stack, secret)
  t.equal(aborted.message, 'stopped at [secret]')
  t.same(Object.keys(inner), ['cause'])
})

t.test('on the port of the API, metrics are for this computer alone', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  app.setErrorHandler((error, request, reply) => answerError(reply, error, request.id))
  metricsRoute(app, { text: async () => ({ contentType: 'text/plain', body: 'fanfare_build_info 1' }) })
  const ask = (remoteAddress: string, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ url: '/metrics', remoteAddress, headers })
  for (const address of ['127.0.0.1', '127.4.5.6', '::1', '::ffff:127.0.0.1']) {
    t.match(await ask(address), { statusCode: 200, body: 'fanfare_build_info 1' }, address)
  }
  for (const address of ['10.0.0.1', '1.1.1.1', '::ffff:10.0.0.1', 'fe80::1']) {
    t.equal((await ask(address)).statusCode, 404, address)
  }
  for (const name of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Proto', 'X-Forwarded-Host']) {
    const answer = await ask('127.0.0.1', { [name]: 'a' })
    t.match(answer, { statusCode: 404, body: /METRICS_PORT/ }, name)
  }
  for (const host of ['localhost:3000', 'fanfare.localhost', '127.0.0.1:3000', '[::1]:3000']) {
    t.equal((await ask('127.0.0.1', { host })).statusCode, 200, host)
  }
  for (const host of ['evil.test', 'localhost.evil.test:3000', '127.0.0.1.evil.test', 'no host']) {
    t.equal((await ask('127.0.0.1', { host })).statusCode, 404, host)
  }
  const locked = fastify()
  t.teardown(() => locked.close())
  locked.setErrorHandler((error, request, reply) => answerError(reply, error, request.id))
  metricsRoute(locked, { text: async () => ({ contentType: 'text/plain', body: 'x 1' }), token: 'secret' })
  for (const remoteAddress of ['127.0.0.1', '1.1.1.1']) {
    for (const [authorization, status] of [
      ['Bearer secret', 200],
      ['Bearer secre', 404],
      ['Bearer secrets', 404],
      ['Basic secret', 404],
      ['', 404],
    ] as const) {
      const answer = await locked.inject({ url: '/metrics', remoteAddress, headers: { authorization } })
      t.equal(answer.statusCode, status, `${remoteAddress} with ${authorization}`)
    }
  }
  const shown = (environment: Readonly<Record<string, string>>) => shownHere(readSettings(environment))
  t.equal(shown({}), true)
  t.equal(shown({ METRICS_PORT: '9464' }), false)
  t.equal(shown({ PUBLIC_URL: 'https://fanfare.example.org' }), false)
  t.equal(shown({ TRUST_PROXY: 'on' }), false)
  t.equal(shown({ TRUST_PROXY: 'on', METRICS_TOKEN: 'secret' }), true)
})

t.test('a scrape asks the database once for all who scrape, and never waits long', async (t) => {
  const clock = virtualClock()
  const metrics = createMetrics({ clock, logger: silent })
  let asked = 0
  let answer: (due: number) => void = () => undefined
  const sample = (value: number) => [{ name: 'fanfare_agenda_due_rows', labels: { kind: 'publish' }, value } as const]
  metrics.watch({
    name: 'agenda',
    asks: true,
    read: () => {
      asked += 1
      return new Promise((resolve) => (answer = (due) => resolve(sample(due))))
    },
  })
  metrics.watch({ name: 'accounts', asks: true, read: () => Promise.reject(new Error('away')) })
  const due = async () => {
    const { value } = parsedMetrics((await metrics.text()).body)
    return [value('fanfare_agenda_due_rows', { kind: 'publish' }), value('fanfare_scrape_ok', { part: 'agenda' })]
  }
  const [first, second] = [due(), due()]
  answer(7)
  t.same(await Promise.all([first, second]), [
    [7, 1],
    [7, 1],
  ])
  t.same(await due(), [7, 1], 'kept for a while')
  t.equal(asked, 1)

  await clock.advanceTo(clock.now() + 10_000)
  const late = due()
  await clock.advanceTo(clock.now() + 2_000)
  t.same(await late, [0, 0], 'left out, and said to be')
  const again = due()
  await clock.advanceTo(clock.now() + 2_000)
  t.same(await again, [0, 0])
  t.equal(asked, 2, 'what is still under way is not asked for again')
  answer(9)
  t.same(await due(), [9, 1])
  const { value } = parsedMetrics((await metrics.text()).body)
  t.equal(value('fanfare_scrape_ok', { part: 'accounts' }), 0, 'one that fails takes no other along')
})

t.test('a secret is hidden in every form, whole or cut off, and nothing else is', (t) => {
  const secret = 'k3y/with+odd "chars" and 30 more of them'
  const hide = hiding([secret, 'short'])
  const written = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    ...['', 'u', 'u:'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((coding) => Buffer.from(`${before}${secret}.`).toString(coding)),
    ),
  ]
  for (const text of written) {
    const hidden = hide(`before ${text} after`)
    t.match(hidden, /^before .{0,5}\[secret\].{0,5} after$/, text)
    for (const form of formsOf(secret)) t.notOk(hidden.includes(form), `${form} in ${hidden}`)
  }
  t.equal(hide(`said: ${secret.slice(0, 20)}`), 'said: [secret]')
  t.equal(hide(`a ${secret}, b ${secret}`), 'a [secret], b [secret]')
  t.equal(hide('a short text of k3y'), 'a short text of k3y')
  t.end()
})

t.test('given a receiver of traces that is away, then the log says so, and the end comes all the same', async (t) => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
  }
  const before = { ...process.env }
  Object.assign(process.env, environment)
  t.teardown(() => Object.keys(environment).forEach((name) => (process.env[name] = before[name] ?? '')))
  const lines: string[] = []
  const logger = createLogger('warn', { write: (line) => void lines.push(line) })
  const sdk = startTraceSdk({ version: '1', instance: 'a' }, logger)
  sdk.tracer.startSpan('a span').end()
  await sdk.close()
  t.match(lines.join(''), /traces could not be sent/)
})
