import { account, type AccountState } from '../../domain/account/account.ts'
import { finalText } from '../../domain/post/caption.ts'
import { isPlatformKey, type PostType } from '../../domain/core/platform.ts'
import type { PreviewItem, PreviewLength, PreviewPost, PreviewRequest } from '../../domain/post/post-preview.ts'
import { mediaOf } from '../../domain/post/post-media.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import { noAccountError } from '../../commands/queue-post.ts'
import { aboutPart, brokenChainRules } from '../../platforms/kit/chain-rules.ts'
import { asSent, brokenRules, positionsOf, warningsOf, whyNotConverted } from '../../platforms/kit/checked-media.ts'
import type { Costs } from '../../platforms/kit/costs.ts'
import { firstCommentOf } from '../../platforms/kit/first-comment.ts'
import { takingFor, withCover } from '../../platforms/kit/options-for.ts'
import { leftOut } from '../../platforms/kit/media-set.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import type { Platform } from '../../platforms/kit/platform.ts'
import { inspected, NO_MEDIA, type InspectedMedia } from './preview-media.ts'
import { fieldsOf } from './preview-fields.ts'
import { thumbnailOf, unfitThumbnail, type Thumbnails } from './preview-thumbnails.ts'
import { laterParts, optionsOf } from './publish-job.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { createShares } from '../../infra/runtime/shares.ts'

/** How many media a process inspects at once. */
const MEDIA_AT_ONCE = 16

type PreviewDeps = CommandDeps & { readonly access: PlatformAccess }
type Connected = Extract<AccountState, { status: 'connected' | 'disconnected' }>

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
        return [{ platform, caption: finalText(request, platform), ...refused(platform, noAccountError(platform)) }]
      }
      const connector = deps.access.platform(platform)
      return Promise.all(
        [...new Set(accountIds)].map((id) => previewOf(deps, request, connector, id, media, thumbnails)),
      )
    })
    return (await Promise.all(items)).flat()
  }
}

async function previewOf(
  deps: PreviewDeps,
  request: PreviewRequest,
  connector: Platform,
  accountId: string,
  [ofFirst = NO_MEDIA, ...ofLater]: readonly InspectedMedia[],
  thumbnails: Thumbnails,
): Promise<PreviewItem> {
  const { key } = connector
  const text = finalText(request, key)
  const state = await load(deps.log, account, accountId)
  if (state.status !== 'connected' || state.platform !== key || state.workspaceId !== request.workspaceId) {
    return { platform: key, accountId, caption: text, ...refused(key, noAccountError(key, accountId)) }
  }
  const options = optionsOf(request, connector, { platform: key, accountId })
  const platform = takingFor(await deps.access.platformFor({ id: accountId, platform: key }), options)
  const comment = firstCommentOf(platform, request, options)
  const post = { ...request, text, options }
  const items = withCover(mediaOf(request), platform, options)
  const parts = laterParts(request, key)
  const { facts } = ofFirst
  const sent = sentTo(deps.access, platform, state, post, ofFirst)
  const later = parts.map((part, index) => sentTo(deps.access, platform, state, part, ofLater[index] ?? NO_MEDIA))
  const all = [...items, ...parts.flatMap(mediaOf)]
  const outOfReach = await deps.access.publicMedia.whyOutOfReach(platform, state, all)
  const unfit = unfitThumbnail(platform, thumbnailOf(request, connector, accountId), thumbnails, deps.access)
  const fields = fieldsOf(request, { platform: key, accountId })
  const pathOf = fields.pathOf(post, (other) => brokenRules(platform, other, sent.facts))
  const details = [
    ...fields.about('selections', state.needsReauth === undefined ? [] : [state.needsReauth]),
    ...fields.about('media', [...sent.problems, ...(outOfReach === undefined ? [] : [outOfReach])]),
    ...brokenRules(platform, post, sent.facts).map((message) => ({ path: pathOf(message), message })),
    ...fields.aboutParts(brokenChainRules(platform, parts, options, later)),
    ...fields.about('media', unfit.problems),
  ]
  const unchecked = new Set([
    ...ofFirst.unchecked,
    ...ofLater.flatMap((part, index) => part.unchecked.map((sentence) => aboutPart(index, sentence))),
  ])
  const title = platform.titleOf?.(post)
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
    textLength: lengthOf(platform, post),
    ...(title !== undefined && { title }),
    ...(comment !== undefined && { firstComment: comment }),
    ...(parts.length > 0 && {
      parts: parts.map((part) => ({ text: part.text, textLength: lengthOf(platform, part) })),
    }),
    ...(options && { options }),
    ...(facts[0] && { media: { ...facts[0] } }),
    ...(facts.length > 1 && { items: facts.map((one) => one && { ...one }) }),
    token,
    ...(changes.length > 0 && { changes }),
    problems: details.map(({ message }) => message),
    details: details.map((one) => (unchecked.has(one.message) ? { ...one, unchecked: true as const } : one)),
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
  media: InspectedMedia,
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
  { facts, problems }: InspectedMedia,
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

function lengthOf(platform: Platform, post: Parameters<Platform['measure']>[0]): PreviewLength {
  const { length, most, unit = 'characters' } = platform.measure(post)
  return { length, limit: most, unit }
}

function refused(platform: string, problem: string): Pick<PreviewItem, 'problems' | 'details' | 'warnings'> {
  return { problems: [problem], details: [{ path: `selections.${platform}`, message: problem }], warnings: [] }
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
