import { Refusal } from '../domain/core/errors.ts'
import { isPlatformKey, PLATFORM_NAMES, type PlatformKey } from '../domain/core/platform.ts'
import { finalText } from '../domain/post/caption.ts'
import { isOwed } from '../domain/post/follow-up.ts'
import { isLive, isQueued, isSettled, type PostState, type QueuedPost, type Target } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { followUpOf, unsupported } from './follow-up.ts'

type Words = Pick<QueuedPost, 'caption' | 'captionOverrides' | 'hashtags' | 'platformOptions'>

/** What a post is to say. Absent fields stay as they are; options are set one by one, and null removes them all. */
export type TextEdit = { readonly [Field in keyof Words]?: Words[Field] | null | undefined }

/** What can be edited on a platform once a post is published there. */
export interface EditRules {
  /** The options that can be changed. */
  readonly options: readonly string[]
  /** The rules that the post would break, as sentences. */
  broken(post: QueuedPost, accountId: string): readonly string[]
}

/**
 * Changes what a post says. The accounts that have it are asked to change it, where what they have differs or an earlier edit
 * failed; those on which it failed get the new text when it is retried.
 *
 * @param rulesOf undefined for a platform whose API cannot edit posts
 * @throws Refusal failed_precondition while the post is being published or unpublished on an account, when the outcome on one is
 *   unknown, or when no account could get the new text; invalid_request naming an option that cannot be changed, or a broken rule
 */
export function editPublished(
  state: PostState,
  edit: TextEdit,
  rulesOf: (platform: PlatformKey) => EditRules | undefined,
): readonly PostEvent[] {
  if (!isQueued(state)) throw new Refusal('not_found', 'No such post.')
  const targets = [...state.targets.values()]
  for (const target of targets) mustRest(target)
  const words = wordsAfter(state, edit)
  const after = { ...state, ...words }
  const live = targets.filter((target) => isLive(target.state))
  const asked = live.flatMap((target): readonly PostEvent[] => {
    const { platform, accountId, published } = target
    const isChanged = hasChanged(state, after, platform)
    if (!isPlatformKey(platform) || (!isChanged && followUpOf(target.state, 'edit')?.step !== 'failed')) return []
    const rules = rulesOf(platform)
    if (!rules) {
      const why = `${PLATFORM_NAMES[platform]} does not let apps edit posts.`
      return [unsupported('edit', why, { platform, accountId }, published[0]?.url)]
    }
    mustBeEditable(state, after, platform, rules)
    const [problem] = rules.broken(after, accountId)
    if (problem !== undefined) throw new Refusal('invalid_request', problem)
    return [{ type: 'EditRequested', data: { platform, accountId } }]
  })
  const canBeRetried = targets.some((target) => target.state.step === 'failed')
  if (asked.length > 0 && !canBeRetried && asked.every(({ type }) => type === 'EditUnsupported')) {
    const names = [...new Set(live.map(({ platform }) => platform))].filter(isPlatformKey)
    const name = names.map((platform) => PLATFORM_NAMES[platform]).join(', ')
    throw new Refusal('failed_precondition', `Apps cannot edit posts on ${name}. Edit the post there yourself.`)
  }
  const isSame = same(words, wordsAfter(state, {}))
  return isSame ? asked : [{ type: 'PostTextEdited', data: words }, ...asked]
}

/** A post whose outcome is unknown is looked for by the text that it was sent with. */
function mustRest({ state, accountId }: Target): void {
  if (!isSettled(state)) {
    const message = `This post is still being published on the account ${accountId}. Edit it once that account has a result.`
    throw new Refusal('failed_precondition', message)
  }
  if (isOwed(followUpOf(state, 'unpublish'))) {
    throw new Refusal('failed_precondition', `This post is being unpublished on the account ${accountId}.`)
  }
  if (state.step === 'failed' && state.submission) {
    const message = `Whether the account ${accountId} has this post is unknown. Retry it there first, which looks for it.`
    throw new Refusal('failed_precondition', message)
  }
}

function wordsAfter(before: Words, { platformOptions: given, ...edit }: TextEdit): Words {
  const { caption, captionOverrides, hashtags, platformOptions } = before
  const options = given === null ? {} : { ...platformOptions }
  for (const [platform, changes] of Object.entries(given ?? {}))
    options[platform] = { ...options[platform], ...changes }
  return {
    caption: edit.caption ?? caption,
    captionOverrides: edit.captionOverrides ?? captionOverrides,
    hashtags: edit.hashtags ?? hashtags,
    ...((platformOptions ?? given) && { platformOptions: options }),
  }
}

function hasChanged(before: QueuedPost, after: QueuedPost, platform: string): boolean {
  return (
    finalText(before, platform) !== finalText(after, platform) || changedOptions(before, after, platform).length > 0
  )
}

function changedOptions(before: Words, after: Words, platform: string): readonly string[] {
  const [was, is] = [before.platformOptions?.[platform] ?? {}, after.platformOptions?.[platform] ?? {}]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !same(was[name], is[name]))
}

function mustBeEditable(before: QueuedPost, after: QueuedPost, platform: PlatformKey, { options }: EditRules): void {
  const fixed = changedOptions(before, after, platform).find((name) => !options.includes(name))
  if (fixed === undefined) return
  const others = options.length === 0 ? '' : ` Options that can be: ${options.join(', ')}.`
  const message = `platformOptions.${platform}.${fixed}: cannot be changed after publishing.${others}`
  throw new Refusal('invalid_request', message)
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
