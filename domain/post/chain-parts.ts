import type { ChainPart } from './post-events.ts'
import { mediaOf, type PostMedia, type Shown } from './post-media.ts'

/** All parts of a chain, or the only one of a text. */
export function chainParts(
  content: Shown & {
    readonly caption: string
    readonly captionOverrides: Readonly<Record<string, string>>
    readonly chain?: readonly ChainPart[] | null | undefined
  },
): readonly (ChainPart & { readonly media: PostMedia[] })[] {
  const { caption: text, captionOverrides: textOverrides, chain } = content
  const first = { text, ...(Object.keys(textOverrides).length > 0 && { textOverrides }), media: [...mediaOf(content)] }
  return [first, ...(chain ?? []).map((part) => ({ ...part, media: part.media ?? [] }))]
}
