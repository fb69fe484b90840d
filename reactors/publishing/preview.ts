import { account, type AccountState } from '../../domain/account/account.ts'
import { finalText } from '../../domain/post/caption.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { isPlatformKey } from '../../domain/core/platform.ts'
import type { PreviewItem, PreviewPost, PreviewRequest } from '../../domain/post/post-preview.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import { noAccountError } from '../../commands/queue-post.ts'
import { brokenRules } from '../../platforms/kit/checked-media.ts'
import type { Costs } from '../../platforms/kit/costs.ts'
import { optionsFor } from '../../platforms/kit/options-for.ts'
import { MediaTooLarge } from '../../platforms/kit/media-refusal.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import { PlatformError, type Platform } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { createShares, type Shares } from '../runtime/shares.ts'

/** A preview answers within one request, so media that take longer cannot be inspected. */
const MEDIA_TIMEOUT_MS = 20_000
/** How many media a process inspects at once. */
const MEDIA_AT_ONCE = 16
const RETRY_AFTER_S = 5
/** Keeps media that nobody has asked to publish yet from filling the disk. */
const MEDIA_MAX_BYTES = 512_000_000

type Connected = Extract<AccountState, { status: 'connected' | 'disconnected' }>
type Media = { readonly facts: MediaFacts } | { readonly problem: string }

/**
 * Checks a post with the code that publishes it. The media is fetched once for all accounts; concurrent fetches are divided
 * between workspaces.
 *
 * @throws Refusal rate_limit_exceeded while the workspace has used up its share
 */
export function createPreview(deps: CommandDeps & { readonly access: PlatformAccess }): PreviewPost {
  const shares = createShares(MEDIA_AT_ONCE)
  return async (request) => {
    const platforms = Object.keys(request.selections).filter(isPlatformKey).map(deps.access.platform)
    const media = await inspected(deps.access, shares, request, platforms)
    const items = Object.entries(request.selections).map(async ([platform, accountIds]) => {
      if (!isPlatformKey(platform) || accountIds.length === 0) {
        return [{ platform, caption: finalText(request, platform), ...refused(noAccountError(platform)) }]
      }
      const connector = deps.access.platform(platform)
      return Promise.all([...new Set(accountIds)].map((id) => previewOf(deps, request, connector, id, media)))
    })
    return (await Promise.all(items)).flat()
  }
}

async function inspected(
  access: PlatformAccess,
  shares: Shares,
  { workspaceId, mediaUrl, mediaType }: PreviewRequest,
  platforms: readonly Platform[],
): Promise<Media | undefined> {
  const limits = platforms.flatMap(({ takes }) => takes[mediaType]?.maxBytes ?? [])
  if (limits.length === 0) return undefined
  const largest = Math.max(...limits)
  const maxBytes = Math.min(largest, MEDIA_MAX_BYTES)
  const giveBack = shares.take(workspaceId)
  if (!giveBack) {
    const message = `Too many previews are fetching media. Retry in ${RETRY_AFTER_S} seconds.`
    throw new Refusal('rate_limit_exceeded', message, { retryAfterS: RETRY_AFTER_S })
  }
  try {
    return { facts: await access.inspect(mediaUrl, { workspaceId, mediaType, maxBytes }, MEDIA_TIMEOUT_MS) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (!(error instanceof MediaTooLarge) || maxBytes === largest) return { problem: error.message }
    return {
      problem: `A preview checks media of up to ${MEDIA_MAX_BYTES / 1_000_000} MB; this ${mediaType} is larger.`,
    }
  } finally {
    giveBack()
  }
}

async function previewOf(
  deps: CommandDeps & { readonly access: PlatformAccess },
  request: PreviewRequest,
  platform: Platform,
  accountId: string,
  media: Media | undefined,
): Promise<PreviewItem> {
  const { key } = platform
  const text = finalText(request, key)
  const state = await load(deps.log, account, accountId)
  if (state.status !== 'connected' || state.platform !== key || state.workspaceId !== request.workspaceId) {
    return { platform: key, accountId, caption: text, ...refused(noAccountError(key, accountId)) }
  }
  const post = { text, mediaType: request.mediaType }
  const options = optionsFor(platform, request.platformOptions?.[key], request.accountOptions?.[accountId])
  const facts = media && 'facts' in media ? media.facts : undefined
  const outOfReach = await deps.access.publicMedia.whyOutOfReach(platform, state, request)
  const problems = [
    ...(state.needsReauth === undefined ? [] : [state.needsReauth]),
    ...(media && 'problem' in media ? [media.problem] : []),
    ...(outOfReach === undefined ? [] : [outOfReach]),
    ...brokenRules(platform, post, facts),
  ]
  const limit = state.limits?.publishing
  const warnings = [...(limit ? [limit.reason] : []), ...(platform.warnings?.(post, facts) ?? [])]
  const token = { ...standing(state, deps.clock.now()), ...(await expiry(deps.access, accountId)) }
  return {
    platform: key,
    accountId,
    caption: text,
    ...(options && { options }),
    ...(facts && { media: { ...facts } }),
    token,
    problems,
    warnings,
    ...costOf(deps.access.costsOf(state), text),
  }
}

function costOf(costs: Costs | undefined, text: string): Pick<PreviewItem, 'cost'> {
  const kind = costs?.kinds[costs.publish(text)]
  return costs && kind ? { cost: { usd: kind.microUsd / 1e6, kind: kind.label, asOf: costs.asOf } } : {}
}

function refused(problem: string): Pick<PreviewItem, 'problems' | 'warnings'> {
  return { problems: [problem], warnings: [] }
}

function standing({ needsReauth, restsUntil }: Connected, now: number): NonNullable<PreviewItem['token']> {
  if (needsReauth !== undefined) return { status: 'needs_reauth', reason: needsReauth }
  return restsUntil !== undefined && Date.parse(restsUntil) > now
    ? { status: 'resting', restsUntil }
    : { status: 'ready' }
}

async function expiry(access: PlatformAccess, accountId: string): Promise<{ readonly expiresAt?: string }> {
  const expiresAt = await access.tokenExpiry(accountId)
  return expiresAt === undefined ? {} : { expiresAt }
}
