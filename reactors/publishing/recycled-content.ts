import { account } from '../../domain/account/account.ts'
import { isQueued, post } from '../../domain/post/post.ts'
import type { RecyclingRule, Turn } from '../../domain/recycling/recycling-events.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { ReadyTurn } from '../../commands/recycle-turn.ts'
import { voiceOf } from '../../commands/set-voice.ts'
import { isSource } from '../../commands/recycling-source.ts'
import { TextModelError, type TextModel } from '../../infra/ai/text.ts'
import { rewriteCaptions } from './rewrite-caption.ts'

export type RecycledContent =
  | { readonly outcome: 'ready'; readonly content: Turn['content']; readonly rewritings: ReadyTurn['rewritings'] }
  /** Nothing can be published now; `error` is shown to the rule's owner. */
  | { readonly outcome: 'failed'; readonly error: string }

/** What a turn of a rule publishes: the source post on the rule's accounts, with its caption rewritten if the rule says so. */
export async function recycledContent(
  { log, textModel }: CommandDeps & { readonly textModel: TextModel | undefined },
  rule: RecyclingRule,
  signal: AbortSignal,
): Promise<RecycledContent> {
  const source = await load(log, post, rule.sourcePostId)
  if (!isQueued(source) || !isSource(source)) {
    const why = source.status === 'published' ? 'it was deleted from every account' : `its status is ${source.status}`
    return failed(`The source post is no longer published; ${why}.`)
  }
  if (!(await hasAccount(log, rule))) return failed('None of the accounts of this rule is still connected.')
  const { mediaUrl, mediaType, media, chain, hashtags, firstComment, caption, captionOverrides } = source
  const { platformOptions, accountOptions } = source
  const content = {
    ...{ mediaUrl, mediaType, hashtags, caption, captionOverrides, selections: rule.selections },
    ...(media && { media }),
    ...(chain && { chain }),
    ...(firstComment !== undefined && { firstComment }),
    ...(platformOptions && { platformOptions }),
    ...(accountOptions && { accountOptions }),
  }
  if (!rule.rewriteCaption) return { outcome: 'ready', content, rewritings: undefined }
  if (!textModel) return failed('No AI provider is configured to rewrite the caption: set AI_PROVIDER.')
  try {
    const voice = await voiceOf(log, rule.workspaceId)
    const { rewritings, ...captions } = await rewriteCaptions(textModel, content, voice, signal)
    return { outcome: 'ready', content: { ...content, ...captions }, rewritings }
  } catch (error) {
    if (!(error instanceof TextModelError)) throw error
    return failed(`The caption could not be rewritten. ${error.message}`)
  }
}

function failed(error: string): RecycledContent {
  return { outcome: 'failed', error }
}

/** One connected account is enough: the post records the outcome on each of the others. */
async function hasAccount(log: CommandDeps['log'], { selections, workspaceId }: RecyclingRule): Promise<boolean> {
  for (const [platform, accountIds] of Object.entries(selections)) {
    for (const accountId of accountIds) {
      const known = await load(log, account, accountId)
      const isOurs = known.status === 'connected' && known.workspaceId === workspaceId
      if (isOurs && known.platform === platform) return true
    }
  }
  return false
}
