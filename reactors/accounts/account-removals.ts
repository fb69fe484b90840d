import { createHmac, hkdfSync } from 'node:crypto'
import type { AccountRemovals, RemovalKind } from '../../domain/account/account-removals.ts'
import { removal } from '../../domain/account/removal.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { requestRemoval } from '../../commands/removal.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { Login } from '../../platforms/kit/authorization.ts'
import type { RemovedOwner } from '../../platforms/kit/removal.ts'
import { accountsOfOwner } from '../../projections/models/accounts.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

export interface RemovalDeps extends CommandDeps {
  readonly db: Database
  readonly access: Pick<PlatformAccess, 'platform' | 'apps'>
  readonly seen: Pick<Seen, 'waitFor'>
}

/** How much (ms) the platform's clock may be behind ours. */
const CLOCK_SKEW_MS = 60_000
/** How long (ms) a call waits for the read models. */
const SEEN_WITHIN_MS = 5_000
const RETRY_AFTER_S = 30

/**
 * Records what a platform reports in one event, which the `remove` reactor carries out, so that nothing is lost in a crash.
 *
 * @param secret the derivation secret
 */
export function accountRemovals(deps: RemovalDeps, secret: Buffer): AccountRemovals {
  const { log, access } = deps
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'account removals', 32))
  const appOf = (platform: PlatformKey) => {
    const connector = access.platform(platform)
    const app = access.apps.of(
      connector,
      connector.logins.find((login) => appNameOf(login, platform) === platform),
    )
    return 'missing' in app || app.clientSecret === undefined ? undefined : { ...app, clientSecret: app.clientSecret }
  }

  /** The platforms whose accounts may have been connected with this one's app. */
  const reachedBy = (platform: PlatformKey) =>
    PLATFORM_KEYS.filter((key) => access.platform(key).logins.some((login) => appNameOf(login, key) === platform))

  return {
    platforms: PLATFORM_KEYS.flatMap((platform) => {
      const { removals } = access.platform(platform)
      return removals && appOf(platform) ? [{ key: platform, kinds: removals.kinds }] : []
    }),

    received: async (platform, kind, call) => {
      const app = appOf(platform)
      const { removals } = access.platform(platform)
      if (!app || !removals?.kinds.includes(kind)) throw new Refusal('not_found', 'No such endpoint.')
      const owner = removals.read(call, app)
      if (!owner) return undefined
      const accounts = await accountsIn(deps, reachedBy(platform), kind, owner)
      const erases = kind === 'delete'
      if (accounts.length === 0 && !erases) return undefined
      // The same for a repeated call. One without a time is another request once an account was connected again.
      const what = owner.at ?? accounts.map(({ id, connectedAt }) => [id, connectedAt])
      const code = createHmac('sha256', key)
        .update(JSON.stringify([platform, kind, owner.ownerId, what]))
        .digest('hex')
        .slice(0, 32)
      const id = resourceId('rmv', code)
      const cause = {
        commandId: derivedId('request', id),
        actor: { kind: 'reactor', id: `${platform} callback` },
        correlationId: id,
      } as const
      const command = { platform, accountIds: accounts.map((one) => one.id), erases }
      await handle({ log, clock: deps.clock }, removal, id, cause, (state) => requestRemoval(state, command))
      return erases ? code : undefined
    },

    status: async (platform, code) => {
      const state = await load(log, removal, resourceId('rmv', code))
      const isIt = state.status !== 'absent' && state.platform === platform && state.erases
      return isIt ? state : { status: 'absent' }
    },
  }
}

function appNameOf({ app }: Login, platform: PlatformKey): string {
  return app ?? platform
}

/** @throws Refusal resource_exhausted while the read models are rebuilt: an account that is missing there would be kept */
async function accountsIn(
  { db, log, seen }: RemovalDeps,
  platforms: readonly PlatformKey[],
  kind: RemovalKind,
  { ownerId, at = Infinity }: RemovedOwner,
) {
  if (!(await seen.waitFor(await log.head(), SEEN_WITHIN_MS))) {
    throw new Refusal('resource_exhausted', `The accounts cannot be looked up yet. Try again in ${RETRY_AFTER_S} s.`, {
      retryAfterS: RETRY_AFTER_S,
    })
  }
  const found = await accountsOfOwner(db, { platforms, ownerId })
  // One that was connected since: a delivery that is repeated for days must not end it.
  const earlier = found.filter(({ connectedAt }) => Date.parse(connectedAt) <= at + CLOCK_SKEW_MS)
  return kind === 'delete' ? earlier : earlier.filter(({ connected }) => connected)
}
