import { account } from '../../../domain/account/account.ts'
import { apiKey } from '../../../domain/workspace/api-key.ts'
import { belongingTo } from '../../../domain/log/belonging.ts'
import { CATEGORIES } from '../../../domain/log/event-kinds.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { parseStreamName, type DomainEvent, type StreamKind } from '../../../domain/core/event.ts'
import { recyclingRule } from '../../../domain/recycling/recycling-rule.ts'
import { feed } from '../../../domain/feed/rss-feed.ts'
import { webhook } from '../../../domain/webhook/webhook.ts'
import { workspace } from '../../../domain/workspace/workspace.ts'
import { handle, load, type Cause } from '../../../commands/handle.ts'
import { disconnectAccount } from '../../../commands/disconnect-account.ts'
import { deleteFeed } from '../../../commands/feed.ts'
import { deleteRule } from '../../../commands/recycling-rule.ts'
import { revokeApiKey } from '../../../commands/revoke-api-key.ts'
import { deleteWebhook } from '../../../commands/webhook.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { Core } from '../../wiring/core.ts'
import type { Projector } from '../../../projections/engine/projector.ts'
import { START } from '../../../event-log/event-log.ts'
import { liftHold } from '../../../infra/postgres/holds.ts'
import { WHOLE_LOG, importUnderWay } from './import-hold.ts'

export type AbandonDeps = Pick<Core, 'log' | 'clock' | 'vault'> & {
  readonly db: Database
  readonly projector: Pick<Projector, 'catchUp'>
}

export interface Abandoned {
  /** The workspace's id. */
  readonly abandoned: string
  /** The workspace's events, which stay in the log. */
  readonly events: number
  /** Active streams that were ended. */
  readonly ended: number
}

/**
 * Gives up an interrupted import of a workspace that cannot be completed. What exists of the workspace stays in the log but
 * becomes inactive: its accounts are disconnected, its keys revoked, its webhooks, feeds and rules deleted. The installation then
 * resumes. If interrupted, it may be repeated.
 *
 * @param idOrName of the workspace, so that nobody gives up the wrong import
 * @throws Refusal failed_precondition
 */
export async function abandonImport(deps: AbandonDeps, idOrName: string, cause: Cause): Promise<Abandoned> {
  const { db, log, projector } = deps
  const begun = await importUnderWay(db)
  if (!begun) throw new Refusal('failed_precondition', 'There is no unfinished import to abandon.')
  const { hold, of, since } = begun
  if (of === WHOLE_LOG) {
    const how = 'see docs/moving.md to go back to the old log.'
    throw new Refusal('failed_precondition', `The import that started at ${since} is of the whole log: ${how}`)
  }
  const state = await load(log, workspace, of)
  const names = state.status === 'absent' ? [of] : [of, state.name]
  if (!names.includes(idOrName)) {
    const what = `is of the workspace ${names.toReversed().join(' with the id ')}`
    throw new Refusal('failed_precondition', `The import that started at ${since} ${what}, not of ${idOrName}.`)
  }
  const { events, streams } = await streamsOf(deps, of)
  let ended = 0
  for (const stream of streams) {
    const { category, id } = parseStreamName(stream)
    const own = { ...cause, commandId: `${cause.commandId} ${stream}` }
    const { position } = (await ENDINGS[category]?.(deps, id, own)) ?? {}
    if (position !== undefined) ended += 1
  }
  await projector.catchUp()
  await liftHold(db, hold)
  return { abandoned: of, events, ended }
}

type Ending = (deps: AbandonDeps, id: string, cause: Cause) => Promise<{ readonly position?: bigint }>

/** By category, how to end what would otherwise keep running; returns nothing for what has already ended. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  [account.category]: async (deps, id, cause) => {
    const ended = await handle(deps, account, id, cause, disconnectAccount)
    await deps.vault.remove(id)
    return ended
  },
  [apiKey.category]: ending(apiKey, revokeApiKey),
  [webhook.category]: ending(webhook, (state) => (state.status === 'deleted' ? [] : deleteWebhook(state))),
  [feed.category]: ending(feed, (state) => (state.status === 'deleted' ? [] : deleteFeed(state))),
  [recyclingRule.category]: ending(recyclingRule, (state) => (state.status === 'deleted' ? [] : deleteRule(state))),
}

function ending<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  decide: (state: State) => readonly Event[],
): Ending {
  return (deps, id, cause) => handle(deps, kind, id, cause, decide)
}

/** The existing streams of a workspace. */
async function streamsOf({ log }: AbandonDeps, workspaceId: string) {
  const belongs = belongingTo(workspaceId)
  const streams = new Set<string>()
  let events = 0
  for await (const delivery of log.subscribe(START, { categories: CATEGORIES })) {
    if (delivery.kind === 'caught-up') break
    for (const event of delivery.events) {
      if (!belongs(event)) continue
      events += 1
      streams.add(event.stream)
    }
  }
  return { events, streams }
}
