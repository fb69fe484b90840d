import type { Capability } from '../../domain/account/capability.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import type { Prices } from '../../infra/runtime/price-settings.ts'
import type { Platform, PlatformAccount } from './platform.ts'

/** One thing that a platform charges for. */
export interface CostKind {
  /** For people, plural: `posts with a link`. */
  readonly label: string
  /** Price of one, in millionths of a US dollar. */
  readonly microUsd: number
  /** Whether it is charged for reading. */
  readonly isRead: boolean
  /** What causes it. */
  readonly capabilities: readonly Capability[]
}

/** What a platform charges for the use of its API. */
export interface Costs {
  /** When the prices were last compared with the platform's own: an ISO 8601 date. */
  readonly asOf: string
  readonly kinds: Readonly<Record<string, CostKind>>
  /** The kind of a post with this text. */
  publish(text: string): string
  /** The kind of a reply with this text. */
  reply(text: string): string
  /** The kinds of each comment that is read. */
  readonly perComment: readonly string[]
  /** The kinds of each look at the metrics of a post. */
  readonly perLook: readonly string[]
}

/** What calls for an account cost; undefined if they are free. */
export type CostsOf = (account: Pick<PlatformAccount, 'platform' | 'baseUrl'>) => Costs | undefined

/**
 * What each account's calls cost, at the operator's own prices where there are any. Accounts of the sandbox are free.
 *
 * @param sandboxUrl undefined when there is no sandbox
 */
export function costsOf(
  platforms: Readonly<Record<PlatformKey, Pick<Platform, 'costs'>>>,
  prices: ReadonlyMap<string, Prices>,
  sandboxUrl: string | undefined,
): CostsOf {
  const priced = new Map(
    PLATFORM_KEYS.map((key) => [key, platforms[key].costs && atPrices(platforms[key].costs, prices.get(key) ?? {})]),
  )
  return ({ platform, baseUrl }) => (isAtSandbox(sandboxUrl, baseUrl) ? undefined : priced.get(platform))
}

/** Whether an account is one of the sandbox. @param sandboxUrl undefined when there is no sandbox */
export function isAtSandbox(sandboxUrl: string | undefined, baseUrl: string | undefined): boolean {
  return sandboxUrl !== undefined && `${baseUrl}/`.startsWith(`${sandboxUrl}/`)
}

/** The names of prices that the platform does not have. */
export function unknownPrices({ costs }: Pick<Platform, 'costs'>, prices: Prices): readonly string[] {
  return Object.keys(prices).filter((kind) => !costs || !Object.hasOwn(costs.kinds, kind))
}

function atPrices(costs: Costs, prices: Prices): Costs {
  const kinds = Object.entries(costs.kinds).map(([kind, known]) => {
    const own = prices[kind]
    return [kind, own === undefined ? known : { ...known, microUsd: Math.round(own * 1e6) }] as const
  })
  return { ...costs, kinds: Object.fromEntries(kinds) }
}

/** `$0.015`: at least two decimals, and as many as it takes. */
export function inDollars(microUsd: number): string {
  const exact = (microUsd / 1e6).toFixed(6).replace(/0{1,4}$/, '')
  return `$${exact}`
}
