import type { CompetitorFacts, Competitors } from '../../platforms/kit/analytics.ts'
import { platforms } from '../../platforms/registry.ts'
import type { Platform, PlatformError } from '../../platforms/kit/platform.ts'
import { createCeilings } from '../../projections/models/ceilings.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { HIGH_CEILINGS } from './api.ts'
import { accessOf, type World } from './world.ts'

/** What a test has one platform say of others, and by whose access and when it was asked. */
export interface Told {
  readonly platform: Platform
  facts: CompetitorFacts | undefined
  /** By account; `any` for those that are not named. */
  readonly failures: Map<string, PlatformError>
  readonly looks: { readonly accountId: string; readonly since: string; readonly at: number }[]
}

export const RIVAL = { externalId: 'did:web:rival.example', handle: 'rival.example', label: 'The rival' }

/** Bluesky, but for what it says of others. */
export function toldOfOthers(facts: Omit<CompetitorFacts, keyof typeof RIVAL> = { recent: [] }): Told {
  const { analytics } = platforms.bluesky
  if (!analytics) throw new Error('it tells nothing')
  const failures: Told['failures'] = new Map()
  const looks: Told['looks'] = []
  const refuse = (accountId: string) => {
    const failure = failures.get(accountId) ?? failures.get('any')
    if (failure) throw failure
  }
  const competitors: Competitors = {
    find: async ({ id }) => {
      refuse(id)
      return RIVAL
    },
    look: async ({ id: accountId }, _externalId, since, { clock }) => {
      looks.push({ accountId, since, at: clock.now() })
      refuse(accountId)
      return told.facts
    },
  }
  const platform: Platform = { ...platforms.bluesky, analytics: { ...analytics, competitors } }
  const told: Told = { platform, facts: { ...RIVAL, ...facts }, failures, looks }
  return told
}

export function competitorDeps(world: World) {
  return {
    ...{ ...world, access: accessOf(world), logger: createLogger('silent') },
    ceilings: createCeilings(world.db, HIGH_CEILINGS),
    seen: { waitFor: async () => true },
  }
}

/** One event of the log about a competitor. */
export interface CompetitorEntry {
  readonly type: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

/** What was put down about a competitor, in order. */
export async function entriesOf({ log }: World, id: string): Promise<readonly CompetitorEntry[]> {
  const events = await log.read(`competitor-${id}`)
  return events.map(({ type, data, metadata }) => ({ type, data: { ...data }, at: Date.parse(metadata.at) }))
}

export async function looksOf(world: World, id: string): Promise<readonly CompetitorEntry[]> {
  return (await entriesOf(world, id)).filter(({ type }) => type === 'CompetitorLooked')
}
