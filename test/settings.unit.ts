import t from 'tap'
import { groupRolesOf } from '../app/wiring/group-roles.ts'
import { secretsOf } from '../infra/runtime/setting-secrets.ts'
import { readSettings } from '../infra/runtime/settings.ts'

t.test('given a wrong setting, then the error names it and how to fix it', async (t) => {
  const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ PORT: 'abc', LOG_LEVEL: 'loud' }, /PORT:[^]*LOG_LEVEL:/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL: must be a URL that begins with postgres:/],
    [{ EVENTSTORE_URL: 'http://a:2113,b:2113' }, /EVENTSTORE_URL: must be a URL that begins with esdb:/],
    [{ NATS_URL: 'nats://a,http://b' }, /NATS_URL[^]*must be a URL that begins with nats:/],
    [{ OPERATOR_NOTIFY: 'https://ntfy.sh/a' }, /OPERATOR_NOTIFY[^]*must be one or more of email:, ntfy:/],
    [{ OPERATOR_NOTIFY: 'email:nobody' }, /OPERATOR_NOTIFY/],
    [{ OPERATOR_NOTIFY: 'email:ops@example.com' }, /SMTP_URL: is required/],
    [{ DATABASE_URL: 'postgres://localhost/x' }, /ENCRYPTION_KEY: is required with DATABASE_URL/],
    [{ ENCRYPTION_KEY: 'short' }, /ENCRYPTION_KEY: must be 32 random bytes in base64/],
    [{ RETRY_DELAYS: '5' }, /RETRY_DELAYS[^]*30s, 5m or 12h/],
    [{ FACEBOOK_GRAPH_VERSION: '26' }, /FACEBOOK_GRAPH_VERSION: must be a version of the Graph API, such as v26\.0/],
    [{ LINKEDIN_VERSION: '202613' }, /LINKEDIN_VERSION: must be a year and a month \(YYYYMM\), such as 202609/],
    [{ X_MONTHLY_BUDGET: '0' }, /X_MONTHLY_BUDGET: must be more than 0/],
    [{ X_MONTHLY_BUDGET: '$50' }, /X_MONTHLY_BUDGET: must be an amount in US dollars/],
    [
      { MAINTENANCE_WINDOWS: '2026-12-03T02:00/2026-12-03T04:00' },
      /MAINTENANCE_WINDOWS[^]*must be intervals with a zone/,
    ],
    [{ MAINTENANCE_WINDOWS: '2026-12-03T04:00Z/2026-12-03T02:00Z' }, /must be intervals with a zone/],
    [{ MAINTENANCE_WINDOWS: '2026-12-03T02:00Z/PT13H' }, /longer than SCHEDULE_GRACE/],
    [{ OIDC_ISSUER: 'http://id.example.com', OIDC_CLIENT_ID: 'x' }, /OIDC_ISSUER: must begin with https:/],
    [{ OIDC_ISSUER: 'https://id.example.com' }, /OIDC_CLIENT_ID: is required with OIDC_ISSUER/],
    [{ OIDC_CLIENT_SECRET: 's', OIDC_ROLES: 'a=author' }, /OIDC_ISSUER: is required[^]*OIDC_WORKSPACE: is required/],
    [{ OIDC_ISSUER: 'https://x', OIDC_CLIENT_ID: 'x', OIDC_WORKSPACE: 'demo' }, /OIDC_ROLES: is required/],
    [{ OIDC_ROLES: 'author' }, /OIDC_ROLES[^]*must be group=role pairs/],
    [{ OIDC_SCOPES: 'profile' }, /OIDC_SCOPES: [^]*openid among them/],
    [{ RATE_LIMT_PER_MINUTE: '5' }, /RATE_LIMT_PER_MINUTE: [^]*Did you mean RATE_LIMIT_PER_MINUTE\?/],
  ]
  for (const [environment, message] of cases) t.throws(() => readSettings(environment), { message })
})

t.test('given maintenance windows, then those that overlap are one, in the order of time', (t) => {
  const value = '2026-12-04T02:00+01:00/PT1H, 2026-12-03T03:00Z/2026-12-03T05:00Z,2026-12-03T02:00Z/PT2H'
  t.same(
    readSettings({ MAINTENANCE_WINDOWS: value }).MAINTENANCE_WINDOWS.map(({ from, until }) =>
      [from, until].map((at) => new Date(at).toISOString()),
    ),
    [
      ['2026-12-03T02:00:00.000Z', '2026-12-03T05:00:00.000Z'],
      ['2026-12-04T01:00:00.000Z', '2026-12-04T02:00:00.000Z'],
    ],
  )
  t.end()
})

t.test('given several servers in one setting, then it is valid, and its passwords are known', (t) => {
  const EVENTSTORE_URL = 'esdb+discover://fan:p%40ss@a:2113,b:2114,c:2115?tls=true'
  const settings = readSettings({ EVENTSTORE_URL, NATS_URL: 'nats://one:first@a:4222, tls://two:second@b:4222' })
  t.equal(settings.EVENTSTORE_URL, EVENTSTORE_URL)
  t.same(settings.NATS_URL, ['nats://one:first@a:4222', 'tls://two:second@b:4222'])
  const secrets = secretsOf(settings)
  for (const secret of ['p%40ss', 'p@ss', 'first', 'second']) t.ok(secrets.includes(secret), secret)
  t.end()
})

t.test('given the configuration of an app, then it is a part of the app', (t) => {
  const given = { FACEBOOK_CLIENT_ID: '1', FACEBOOK_CLIENT_SECRET: 's', FACEBOOK_CONFIG_ID: '2', X_CLIENT_ID: '3' }
  const { apps } = readSettings(given)
  t.same(apps.get('facebook'), { clientId: '1', clientSecret: 's', configId: '2' })
  t.same(apps.get('x'), { clientId: '3' })
  t.equal(readSettings({ ...given, FACEBOOK_CONFIG_ID: '' }).apps.get('facebook')?.configId, undefined)
  t.end()
})

t.test('given an OpenID Connect provider, then its settings belong together', (t) => {
  const given = { OIDC_ISSUER: 'http://localhost:8080/realms/x', OIDC_CLIENT_ID: 'fanfare' }
  t.match(readSettings(given).oidc, {
    issuer: given.OIDC_ISSUER,
    clientId: 'fanfare',
    roles: [],
    groupsClaim: 'groups',
  })
  t.equal(readSettings({}).oidc, undefined)
  const roles = (OIDC_ROLES: string) => groupRolesOf(readSettings({ ...given, OIDC_ROLES, OIDC_WORKSPACE: 'demo' }))
  t.same(roles('a b=author, cn=x = manager'), [
    { group: 'a b', role: 'author' },
    { group: 'cn=x', role: 'manager' },
  ])
  t.throws(() => roles('staff=boss'), { message: /OIDC_ROLES: boss is not a role; use owner, manager/ })
  t.end()
})
