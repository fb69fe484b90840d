import type { LimitCause, Limits } from '../../../domain/account/capability.ts'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import { limitsOf } from '../../../projections/models/accounts.ts'
import type { Core } from '../../wiring/core.ts'
import { accessEnd } from '../../../platforms/kit/access-end.ts'
import { withheldApps } from '../../../reactors/platform-calls/withheld-apps.ts'
import { forShell } from '../output.ts'
import { findings, reasonOf, type Fault, type Finding } from './finding.ts'

/** Access that ends within this time (ms) is reported, so that its owner can act in time. */
const SOON_MS = 7 * 86_400_000
const DAY_MS = 86_400_000

interface Account {
  readonly id: string
  readonly platform: PlatformKey
  readonly label: string
  readonly workspace: string
  readonly base_url: string | null
  readonly needs_reauth: string | null
  readonly comments_error: string | null
  readonly analytics_error: string | null
  readonly limits: Limits
}

const REST_WORKS = 'Everything else on this account works.'
const REMEDY: Readonly<Record<Exclude<LimitCause, 'permission_missing'>, string>> = {
  app_not_approved: "Complete the platform's review of your app, or ask for access to this API there.",
  resource_forbidden: 'Check the role of the account on that page, post or board.',
  billing:
    "Raise the budget that the reason names, or check the bill, credits and spending limit in the platform's developer console.",
  platform_outage: "Posts are tried again by themselves. See the platform's status page.",
}

/** What people have to do: accounts that their owner must reconnect, credentials, failing feeds and receivers. */
export async function examinePeople(core: Core): Promise<readonly Finding[]> {
  const accounts = await connectedAccounts(core)
  return [
    ...findings('accounts', 'warning', accounts.flatMap(wrongWith), `all ${accounts.length} connected accounts work`),
    ...(await secrets(core, accounts)),
    ...(await appSecrets(core)),
    ...(await feeds(core)),
    ...(await receivers(core)),
  ]
}

async function connectedAccounts({ db }: Core): Promise<readonly Account[]> {
  const { rows } = await db.query<Account>(
    `select a.id, a.platform, a.label, coalesce(w.name, a.workspace_id) as workspace, a.base_url, a.needs_reauth, a.limits,
       (select error from service.comment_checks where account_id = a.id) as comments_error,
       (select error from service.metric_checks where account_id = a.id) as analytics_error
     from read.accounts a left join read.workspaces w on w.id = a.workspace_id where a.connected order by a.id`,
  )
  return rows
}

function wrongWith(account: Account): readonly Fault[] {
  const name = nameOf(account)
  const { needs_reauth, comments_error, analytics_error } = account
  if (needs_reauth !== null)
    return [{ finding: `${name} must be connected again: ${needs_reauth}`, remedy: again(account) }]
  const limits = limitsOf(account).map(({ capability, cause, reason }) => ({
    finding: `${name}: ${capability} (${cause}): ${reason}`,
    remedy: cause === 'permission_missing' ? `${REST_WORKS} ${again(account)}` : `${REST_WORKS} ${REMEDY[cause]}`,
  }))
  const looked = [
    ['comments', comments_error, account.limits.comments],
    ['metrics', analytics_error, account.limits.analytics],
  ] as const
  const unread = looked.flatMap(([what, error, limit]) =>
    error === null || limit
      ? []
      : [{ finding: `the ${what} of ${name} cannot be read: ${error}`, remedy: `${REST_WORKS} ${again(account)}` }],
  )
  return [...limits, ...unread]
}

function nameOf({ platform, label, workspace, id }: Account): string {
  return `${platform} "${label}" of ${workspace} (${id})`
}

function again({ platform, workspace, base_url }: Account): string {
  const server = base_url === null ? '' : ` --base-url ${forShell(base_url)}`
  const command = `fanfare accounts connect ${platform} --workspace ${forShell(workspace)}${server}`
  return `Connect the account again: ${command} --credentials @file.json (or --browser).`
}

/** Checks that each account's and webhook's secret exists, decrypts under this encryption key, and has not expired. */
async function secrets({ db, vault, clock, access }: Core, accounts: readonly Account[]): Promise<readonly Finding[]> {
  const { rows: webhooks } = await db.query<{ id: string }>('select id from read.webhooks order by id')
  const [lost, ending]: [Fault[], Fault[]] = [[], []]
  const key = 'Start with the ENCRYPTION_KEY that encrypted it'
  for (const account of accounts) {
    try {
      const found = await vault.find(account.id)
      // An account that was moved here or released has none until its owner reconnects it, which is reported above.
      if (!found && account.needs_reauth !== null) continue
      if (!found) lost.push({ finding: `${nameOf(account)} has no stored credentials`, remedy: again(account) })
      else ending.push(...runningOut(account, accessEnd(access.platform(account.platform), found), clock.now()))
    } catch (error) {
      lost.push({ finding: `${nameOf(account)}: ${reasonOf(error)}`, remedy: `${key}. ${again(account)}` })
    }
  }
  for (const { id } of webhooks) {
    const remedy = `Delete the webhook and register it again: nothing is delivered unsigned.`
    try {
      if (!(await vault.find(id))) lost.push({ finding: `webhook ${id} has no secret`, remedy })
    } catch (error) {
      lost.push({ finding: `webhook ${id}: ${reasonOf(error)}`, remedy: `${key}. ${remedy}` })
    }
  }
  const count = accounts.length + webhooks.length
  return [
    ...findings('secrets', 'problem', lost, `all ${count} secrets of accounts and webhooks can be decrypted`),
    ...findings('expiry', 'warning', ending, 'no credentials have expired'),
  ]
}

/** Accounts that predate the restriction of the operator's app to trusted hosts; nothing is sent for them. */
async function appSecrets(core: Core): Promise<readonly Finding[]> {
  const faults = (await withheldApps(core)).map(({ accountId, baseUrl, why }) => ({
    finding: `account ${accountId} at ${baseUrl} has one of your apps and is not used: ${why}`,
    remedy: `If you do not recognize that host, give the app a new secret on its platform, then run: fanfare accounts disconnect ${accountId}`,
  }))
  return findings('apps', 'warning', faults, 'your apps are used only with hosts that you trust')
}

function runningOut(account: Account, end: string | undefined, now: number): readonly Fault[] {
  if (end === undefined || account.needs_reauth !== null) return []
  const leftMs = Date.parse(end) - now
  if (Number.isNaN(leftMs) || leftMs > SOON_MS) return []
  return [
    {
      finding: `the credentials of ${nameOf(account)} ${leftMs > 0 ? 'expire' : 'expired'} at ${end}`,
      remedy: again(account),
    },
  ]
}

async function feeds({ db }: Core): Promise<readonly Finding[]> {
  const { rows } = await db.query<{ id: string; url: string; last_error: string }>(
    'select id, url, last_error from read.feeds where active and last_error is not null order by id',
  )
  const faults = rows.map(({ id, url, last_error: error }) => ({
    finding: `feed ${id} (${url}): ${error}`,
    remedy: 'Check that the address still has a feed, or stop the checks with DELETE /v1/rss-feeds/{id}.',
  }))
  return findings('feeds', 'warning', faults, 'all feeds can be read')
}

async function receivers({ db, clock }: Core): Promise<readonly Finding[]> {
  const { rows } = await db.query<{ id: string; url: string; failed: number; error: string | null }>(
    `select w.id, w.url, count(*)::int as failed, max(d.last_error) as error
     from read.webhooks w join read.deliveries d on d.webhook_id = w.id
     where d.status = 'failed' and d.created_at > $1 group by w.id, w.url order by w.id`,
    [new Date(clock.now() - 3 * DAY_MS)],
  )
  const faults = rows.map(({ id, url, failed, error }) => ({
    finding: `webhook ${id} (${url}): ${failed} deliveries have failed permanently in the last 3 days, one with: ${error ?? 'no reason'}`,
    remedy: `Fix the receiver, then call POST /v1/webhooks/${id}/deliveries/{deliveryId}/resend, or have it read GET /v1/events.`,
  }))
  return findings('deliveries', 'warning', faults, 'no delivery has failed permanently in the last 3 days')
}
