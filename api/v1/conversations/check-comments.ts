import { account, type AccountState } from '../../../domain/account/account.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { derivedId } from '../../../domain/core/ids.ts'
import { hasConversations } from '../../../domain/core/platform.ts'
import { handle } from '../../../commands/handle.ts'
import { requestCommentsCheck } from '../../../commands/request-comments-check.ts'
import { connectedAccounts, findAccount, type AccountRow } from '../../../projections/models/accounts.ts'
import { causeOf } from '../../http/cause.ts'
import { checkBody, checkedSchema } from './comment-schemas.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute, type Caller, type RouteRequest } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

interface Asked {
  readonly platform?: string | undefined
  readonly accountId?: string | undefined
}

/** Fetches comments on demand, within limits (`requestCommentsCheck`). */
export function checkCommentsRoute(services: Services): AnyRoute {
  const { clock, seen } = services
  const request = async (asked: RouteRequest<unknown, unknown, unknown>, { id, platform }: AccountRow) => {
    // One request issues a separate command to each of its accounts.
    const cause = { ...causeOf(asked, id), commandId: derivedId('request', asked.work, id) }
    const decide = (state: AccountState) => requestCommentsCheck(state, clock.now())
    const { state, position } = await handle(services, account, id, cause, decide)
    if (position !== undefined) await seen.waitFor(position)
    if (state.status === 'absent') throw new Refusal('not_found', 'No such account.')
    return { platform, accountId: id, checkAt: state.checkAt ?? state.connectedAt }
  }

  return route({
    method: 'POST',
    path: '/comments/check-now',
    operationId: 'checkCommentsNow',
    summary: 'Fetch new comments now, for all or selected accounts',
    description:
      "Accounts are checked every few minutes anyway. How soon they can be checked depends on the platform's quota.",
    reachesOut: true,
    mayConflict: true,
    tag: 'Comments and replies',
    scope: 'comments:write',
    body: checkBody,
    idempotent: true,
    answer: {
      status: 200,
      description: 'Each account is checked within seconds of its checkAt.',
      schema: checkedSchema,
    },
    handle: async (asked) => {
      const rows = await accountsToCheck(services, asked.body ?? {}, asked.caller)
      return { status: 200, body: { accounts: await Promise.all(rows.map((row) => request(asked, row))) } }
    },
  })
}

/**
 * @throws Refusal not_found, forbidden, invalid_request when the named account's comments are not read, or failed_precondition when
 *   its access does not cover them
 */
async function accountsToCheck(
  { db, whyNotAllowed }: Services,
  { platform, accountId }: Asked,
  caller: Caller,
): Promise<readonly AccountRow[]> {
  if (accountId === undefined) {
    const rows = (await connectedAccounts(db, caller.workspaceId)).filter((row) => row.needsReauth === null)
    const meant = rows.filter((row) => hasConversations(row.platform) && (platform ?? row.platform) === row.platform)
    const obstacles = await Promise.all(meant.map((row) => whyNotAllowed(row, 'comments')))
    return meant.filter((_, index) => obstacles[index] === undefined)
  }
  const row = owned(await findAccount(db, accountId), caller, 'account')
  if (platform !== undefined && platform !== row.platform) {
    throw new Refusal('invalid_request', `platform: the account is on ${row.platform}`)
  }
  if (!hasConversations(row.platform)) {
    throw new Refusal('invalid_request', `accountId: comments on ${row.platform} are not supported`)
  }
  const obstacle = await whyNotAllowed(row, 'comments')
  if (obstacle !== undefined) throw new Refusal('failed_precondition', obstacle)
  return [row]
}
