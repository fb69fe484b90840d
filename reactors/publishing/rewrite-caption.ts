import type { PostContent } from '../../domain/post/post.ts'
import type { Rewriting } from '../../domain/recycling/recycling-events.ts'
import type { TextModel } from '../../infra/ai/text.ts'

type Captions = Pick<PostContent, 'caption' | 'captionOverrides'>

/** Limit for captions that are too short to be reworded within their own length. */
const LEAST_ROOM = 100

const INSTRUCTION =
  'Rewrite the caption of a social media post in other words. Keep its language, its meaning and tone, and every link, ' +
  'mention and hashtag as it is.'

/**
 * Rewrites the caption and its per-platform overrides, and returns their provenance. Each may be as long as before, which surely
 * fits where the post was published, and at least LEAST_ROOM. An empty caption stays empty.
 *
 * @param voice of the workspace
 * @throws TextModelError
 */
export async function rewriteCaptions(
  model: TextModel,
  before: Captions,
  voice: string,
  signal: AbortSignal,
): Promise<Captions & { readonly rewritings: readonly Rewriting[] }> {
  const instruction = voice === '' ? INSTRUCTION : `${INSTRUCTION}\n\nHow we write: ${voice}`
  const rewritings: Rewriting[] = []
  const rewrite = async (text: string, of: Pick<Rewriting, 'platform'>): Promise<string> => {
    if (text.trim() === '') return text
    const data = [{ name: 'caption', text }]
    const maxChars = Math.max(LEAST_ROOM, text.length)
    const { text: rewritten, ...provenance } = await model.write({ instruction, data, maxChars }, signal)
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
