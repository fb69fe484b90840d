import { account, type AccountState } from '../../domain/account/account.ts'
import { finalText } from '../../domain/post/caption.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { isPlatformKey, type MediaType, type PostType } from '../../domain/core/platform.ts'
import type { PreviewItem, PreviewPost, PreviewRequest } from '../../domain/post/post-preview.ts'
import { mediaOf, shown, type Shown } from '../../domain/post/post-media.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import { noAccountError } from '../../commands/queue-post.ts'
import { aboutPart, brokenChainRules } from '../../platforms/kit/chain-rules.ts'
import { asSent, brokenRules, positionsOf, warningsOf, whyNotConverted } from '../../platforms/kit/checked-media.ts'
import type { Costs } from '../../platforms/kit/costs.ts'
import { firstCommentOf } from '../../platforms/kit/first-comment.ts'
import { takingFor, withCover } from '../../platforms/kit/options-for.ts'
import { aboutItem, leftOut } from '../../platforms/kit/media-set.ts'
import { MediaTooLarge } from '../../platforms/kit/media-refusal.ts'
import { MOST_CONVERTED } from '../../infra/media/conversion.ts'
import type { MediaFacts, WantedMedia } from '../../infra/media/media.ts'
import { PlatformError, type Platform } from '../../platforms/kit/platform.ts'
import { thumbnailOf, thumbnailsOf, unfitThumbnail, type Thumbnails } from './preview-thumbnails.ts'
import { laterParts, optionsOf } from './publish-job.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { createShares, type Shares } from '../../infra/runtime/shares.ts'

/** A preview answers within one request, so media that take longer cannot be inspected. */
const MEDIA_TIMEOUT_MS = 20_000
/** How many media a process inspects at once. */
const MEDIA_AT_ONCE = 16
const RETRY_AFTER_S = 5
/** Keeps media that nobody has asked to publish yet from filling the disk. */
const MEDIA_MAX_BYTES = 512_000_000

type PreviewDeps = CommandDeps & { readonly access: PlatformAccess }
type Connected = Extract<AccountState, { status: 'connected' | 'disconnected' }>
/** Of one part, of each item in order; null for one that was not fetched. */
interface Media {
  readonly facts: readonly (MediaFacts | null)[]
  readonly problems: readonly string[]
}

/**
 * Checks a post with the code that publishes it. The media is fetched once for all accounts; concurrent fetches are divided
 * between workspaces.
 *
 * @throws Refusal rate_limit_exceeded while the workspace has used up its share
 */
export function createPreview(deps: PreviewDeps): PreviewPost {
  const shares = createShares(MEDIA_AT_ONCE)
  return async (request) => {
    const platforms = Object.keys(request.selections).filter(isPlatformKey).map(deps.access.platform)
    const { media, thumbnails } = await inspected(deps, shares, request, platforms)
    const items = Object.entries(request.selections).map(async ([platform, accountIds]) => {
      if (!isPlatformKey(platform) || accountIds.length === 0) {
        return [{ platform, caption: finalText(request, platform), ...refused(noAccountError(platform)) }]
      }
      const connector = deps.access.platform(platform)
      return Promise.all(
        [...new Set(accountIds)].map((id) => previewOf(deps, request, connector, id, media, thumbnails)),
      )
    })
    return (await Promise.all(items)).flat()
  }
}

async function inspected(
  { access, clock }: PreviewDeps,
  shares: Shares,
  request: PreviewRequest,
  platforms: readonly Platform[],
): Promise<{ readonly media: readonly Media[]; readonly thumbnails: Thumbnails }> {
  const giveBack = shares.take(request.workspaceId)
  if (!giveBack) {
    const message = `Too many previews are fetching media. Retry in ${RETRY_AFTER_S} seconds.`
    throw new Refusal('rate_limit_exceeded', message, { retryAfterS: RETRY_AFTER_S })
  }
  const until = clock.now() + MEDIA_TIMEOUT_MS
  const inspect = async (part: Shown): Promise<Media> => {
    const items = mediaOf(part)
    const facts: (MediaFacts | null)[] = []
    const problems: string[] = []
    for (const [index, { url, type: mediaType }] of items.entries()) {
      const largest = Math.max(0, ...platforms.map(({ takes }) => largestOf(access, takes[mediaType], mediaType)))
      const maxBytes = Math.min(largest, MEDIA_MAX_BYTES)
      const want = { workspaceId: request.workspaceId, mediaType, maxBytes }
      const found = largest === 0 ? null : await inspectedItem(access, url, want, until - clock.now(), largest)
      facts.push(typeof found === 'string' ? null : found)
      if (typeof found === 'string') problems.push(aboutItem(index, items.length, found))
    }
    return { facts, problems }
  }
  try {
    const media: Media[] = []
    const later = (request.chain ?? []).map((part) => shown(part.media ?? []))
    for (const part of [request, ...later]) media.push(await inspect(part))
    const thumbnails = new Map<string, MediaFacts | string>()
    for (const { url, maxBytes } of thumbnailsOf(request, platforms)) {
      const want = { workspaceId: request.workspaceId, mediaType: 'image', maxBytes } as const
      thumbnails.set(url, await inspectedItem(access, url, want, until - clock.now(), maxBytes))
    }
    return { media, thumbnails }
  } finally {
    giveBack()
  }
}

function largestOf(
  { convertsImages, convertsVideos }: PlatformAccess,
  { maxBytes = 0, shape }: { readonly maxBytes?: number; readonly shape?: object } = {},
  type: MediaType,
): number {
  const isConverted = type === 'image' ? convertsImages : convertsVideos
  return isConverted && shape ? Math.max(maxBytes, MOST_CONVERTED[type]) : maxBytes
}

/** @returns the problem, if it cannot be checked */
async function inspectedItem(
  access: PlatformAccess,
  url: string,
  want: WantedMedia,
  timeoutMs: number,
  largest: number,
): Promise<MediaFacts | string> {
  if (timeoutMs <= 0) return `A preview checks media for at most ${MEDIA_TIMEOUT_MS / 1_000} s; this one is unchecked.`
  try {
    return await access.inspect(url, want, timeoutMs)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (!(error instanceof MediaTooLarge) || want.maxBytes === largest) return error.message
    return `A preview checks media of up to ${MEDIA_MAX_BYTES / 1_000_000} MB; this ${want.mediaType} is larger.`
  }
}

const NOTHING: Media = { facts: [], problems: [] }

async function previewOf(
  deps: PreviewDeps,
  request: PreviewRequest,
  connector: Platform,
  accountId: string,
  [ofFirst = NOTHING, ...ofLater]: readonly Media[],
  thumbnails: Thumbnails,
): Promise<PreviewItem> {
  const { key } = connector
  const text = finalText(request, key)
  const state = await load(deps.log, account, accountId)
  if (state.status !== 'connected' || state.platform !== key || state.workspaceId !== request.workspaceId) {
    return { platform: key, accountId, caption: text, ...refused(noAccountError(key, accountId)) }
  }
  const options = optionsOf(request, connector, { platform: key, accountId })
  const platform = takingFor(connector, options)
  const comment = firstCommentOf(platform, request, options)
  const post = { ...request, text, options }
  const items = withCover(mediaOf(request), platform, options)
  const parts = laterParts(request, key)
  const { facts } = ofFirst
  const sent = sentTo(deps.access, platform, state, post, ofFirst)
  const later = parts.map((part, index) => sentTo(deps.access, platform, state, part, ofLater[index] ?? NOTHING))
  const all = [...items, ...parts.flatMap(mediaOf)]
  const outOfReach = await deps.access.publicMedia.whyOutOfReach(platform, state, all)
  const unfit = unfitThumbnail(platform, thumbnailOf(request, connector, accountId), thumbnails, deps.access)
  const problems = [
    ...(state.needsReauth === undefined ? [] : [state.needsReauth]),
    ...sent.problems,
    ...(outOfReach === undefined ? [] : [outOfReach]),
    ...brokenRules(platform, post, sent.facts),
    ...brokenChainRules(platform, parts, options, later),
    ...unfit.problems,
  ]
  const { publishing, replies } = state.limits ?? {}
  const warnings = [
    ...(publishing ? [publishing.reason] : []),
    ...(replies && comment !== undefined ? [replies.reason] : []),
    ...warningsOf(platform, post, sent.facts),
    ...sent.warnings,
    ...later.flatMap((part, index) => part.warnings.map((one) => aboutPart(index, one))),
    ...leftOut(platform, items),
    ...unfit.warnings,
  ]
  const changes = [...sent.changes, ...later.flatMap((part, index) => part.changes.map((one) => aboutPart(index, one)))]
  const token = { ...standing(state, deps.clock.now()), ...(await expiry(deps.access, accountId)) }
  return {
    platform: key,
    accountId,
    caption: text,
    ...(options && { options }),
    ...(facts[0] && { media: { ...facts[0] } }),
    ...(facts.length > 1 && { items: facts.map((one) => one && { ...one }) }),
    token,
    ...(changes.length > 0 && { changes }),
    problems,
    warnings,
    ...costOf(deps.access.costsOf(state), [
      text,
      ...parts.map((part) => part.text),
      ...(comment === undefined ? [] : [comment]),
    ]),
  }
}

interface Sent {
  readonly facts: readonly (MediaFacts | undefined)[]
  readonly problems: readonly string[]
  readonly changes: readonly string[]
  readonly warnings: readonly string[]
}

/** The media of a part as the account gets them. */
function sentTo(
  access: PlatformAccess,
  platform: Platform,
  state: Connected,
  part: Parameters<typeof asSent>[1],
  media: Media,
): Sent {
  const sent = convertedFor(access, platform, state, part, media)
  if (!access.removesPosition) return { ...sent, warnings: [] }
  const known = media.facts.map((one) => one ?? undefined)
  const { changes, warnings } = positionsOf(platform, part, known, access.publicMedia.isReachedBy(state))
  return { ...sent, changes: [...sent.changes, ...changes], warnings }
}

function convertedFor(
  access: PlatformAccess,
  platform: Platform,
  state: Connected,
  part: Parameters<typeof asSent>[1],
  { facts, problems }: Media,
): Omit<Sent, 'warnings'> {
  const known = facts.map((one) => one ?? undefined)
  if (!access.convertsImages) return { facts: known, problems, changes: [] }
  const isReached = access.publicMedia.isReachedBy(state)
  const whyNot = (type: PostType) =>
    whyNotConverted(platform, type, access, isReached || (type !== 'text' && !platform.takes[type]?.isFetched))
  const sent = asSent(platform, part, known, whyNot)
  const isRefused =
    sent.lacking.length > 0 &&
    brokenRules(platform, part, sent.facts).length >
      brokenRules(platform, part, asSent(platform, part, known).facts).length
  return { ...sent, problems: isRefused ? [...problems, ...sent.lacking] : problems }
}

/** @param texts of all parts; the kind is that of the first */
function costOf(costs: Costs | undefined, texts: readonly string[]): Pick<PreviewItem, 'cost'> {
  const kinds = texts.flatMap((text) => costs?.kinds[costs.publish(text)] ?? [])
  const [first] = kinds
  if (!costs || !first) return {}
  const usd = kinds.reduce((sum, { microUsd }) => sum + microUsd, 0) / 1e6
  return { cost: { usd, kind: first.label, asOf: costs.asOf } }
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
