import { Refusal } from '../domain/core/errors.ts'
import { isPlatformKey, PLATFORM_NAMES, type PlatformKey } from '../domain/core/platform.ts'
import { finalText } from '../domain/post/caption.ts'
import { isOwed } from '../domain/post/follow-up.ts'
import {
  isLive,
  isQueued,
  isSettled,
  type PostState,
  type QueuedPost,
  type Target,
  type TargetKey,
} from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { followUpOf, unsupported } from './follow-up.ts'

type Words = Pick<QueuedPost, 'caption' | 'captionOverrides' | 'hashtags' | 'platformOptions' | 'accountOptions'>

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
    const isChanged = hasChanged(state, after, target)
    if (!isPlatformKey(platform) || (!isChanged && followUpOf(target.state, 'edit')?.step !== 'failed')) return []
    const rules = rulesOf(platform)
    if (!rules) {
      const why = `${PLATFORM_NAMES[platform]} does not let apps edit posts.`
      return [unsupported('edit', why, { platform, accountId }, published[0]?.url)]
    }
    mustBeEditable(state, after, target, rules)
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

function wordsAfter(before: Words, edit: TextEdit): Words {
  const platformOptions = optionsAfter(before.platformOptions, edit.platformOptions)
  const accountOptions = optionsAfter(before.accountOptions, edit.accountOptions)
  return {
    caption: edit.caption ?? before.caption,
    captionOverrides: edit.captionOverrides ?? before.captionOverrides,
    hashtags: edit.hashtags ?? before.hashtags,
    ...(platformOptions && { platformOptions }),
    ...(accountOptions && { accountOptions }),
  }
}

type Options = Words['platformOptions']

function optionsAfter(before: Options, given: Options | null): Words['accountOptions'] {
  if (!before && !given) return undefined
  const options: Record<string, Record<string, unknown>> = {}
  for (const some of [given === null ? {} : before, given]) {
    for (const [of, changes] of Object.entries(some ?? {})) options[of] = { ...options[of], ...changes }
  }
  return options
}

function hasChanged(before: QueuedPost, after: QueuedPost, target: TargetKey): boolean {
  const { platform } = target
  return finalText(before, platform) !== finalText(after, platform) || changedOptions(before, after, target).length > 0
}

/** The options of an account that differ, each with its field in the request. */
function changedOptions(
  before: Words,
  after: Words,
  { platform, accountId }: TargetKey,
): readonly { readonly name: string; readonly field: string }[] {
  const changed = (field: string, was: Options = {}, is: Options = {}, of: string) => {
    const names = new Set([...Object.keys(was[of] ?? {}), ...Object.keys(is[of] ?? {})])
    const differs = (name: string) => !same(was[of]?.[name], is[of]?.[name])
    return [...names].filter(differs).map((name) => ({ name, field: `${field}.${of}.${name}` }))
  }
  return [
    ...changed('platformOptions', before.platformOptions, after.platformOptions, platform),
    ...changed('accountOptions', before.accountOptions, after.accountOptions, accountId),
  ]
}

function mustBeEditable(before: QueuedPost, after: QueuedPost, target: TargetKey, { options }: EditRules): void {
  const fixed = changedOptions(before, after, target).find(({ name }) => !options.includes(name))
  if (!fixed) return
  const others = options.length === 0 ? '' : ` Options that can be: ${options.join(', ')}.`
  throw new Refusal('invalid_request', `${fixed.field}: cannot be changed after publishing.${others}`)
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
