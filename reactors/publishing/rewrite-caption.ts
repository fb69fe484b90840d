import type { PostContent } from '../../domain/post/post.ts'
import type { Rewriting } from '../../domain/recycling/recycling-events.ts'
import type { TextModel } from '../../infra/ai/text.ts'

type Captions = Pick<PostContent, 'caption' | 'captionOverrides'>

/** A few words leave no room for others. */
const LEAST_ROOM = 100

const INSTRUCTION =
  'Rewrite the caption of a social media post in other words. Keep its language, its meaning and tone, and every link, ' +
  'mention and hashtag as it is.'

/**
 * The caption, and those that replace it on single platforms, in other words, and where these come from. They may be as long as they
 * were, as that surely fits where the post was published. An empty one stays empty.
 *
 * @throws TextModelError
 */
export async function rewriteCaptions(
  model: TextModel,
  before: Captions,
  signal: AbortSignal,
): Promise<Captions & { readonly rewritings: readonly Rewriting[] }> {
  const rewritings: Rewriting[] = []
  const rewrite = async (text: string, of: Pick<Rewriting, 'platform'>): Promise<string> => {
    if (text.trim() === '') return text
    const data = [{ name: 'caption', text }]
    const maxChars = Math.max(LEAST_ROOM, text.length)
    const { text: rewritten, ...provenance } = await model.write({ instruction: INSTRUCTION, data, maxChars }, signal)
    rewritings.push({ ...of, ...provenance })
    return rewritten
  }
  const caption = await rewrite(before.caption, {})
  const captionOverrides: Record<string, string> = {}
  for (const [platform, text] of Object.entries(before.captionOverrides)) {
    captionOverrides[platform] = await rewrite(text, { platform })
  }
  return { caption, captionOverrides, rewritings }
}
