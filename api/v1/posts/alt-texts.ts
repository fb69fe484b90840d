import { uploadedFileIn } from '../../../domain/core/upload.ts'
import { mediaOf, type PostMedia, type Shown } from '../../../domain/post/post-media.ts'
import { altTextsOf } from '../../../projections/models/media.ts'
import type { Services } from '../../kit/services.ts'

interface Part {
  readonly media?: readonly PostMedia[] | null | undefined
}

type Given = { readonly [Field in keyof Shown]?: Shown[Field] | undefined }

interface Content extends Given {
  readonly chain?: readonly Part[] | undefined
  readonly parts?: readonly Part[] | undefined
}

/** The content with the alt texts of its uploads, where it gives none. An empty one is given. */
export async function withAltTexts<C extends Content>(
  { db }: Pick<Services, 'db'>,
  workspaceId: string,
  content: C,
): Promise<C> {
  const { mediaUrl = '', mediaType = 'text', media, chain, parts } = content
  const ownPart = { media: mediaOf({ mediaUrl, mediaType, media }) }
  const items = [ownPart, ...(chain ?? []), ...(parts ?? [])].flatMap((part) => part.media ?? [])
  const ids = items.flatMap((item) => (item.altText === undefined ? (mediaIdOf(item) ?? []) : []))
  const known = await altTextsOf(db, workspaceId, ids)
  if (known.size === 0) return content
  const itemWith = (item: PostMedia): PostMedia => {
    const altText = known.get(mediaIdOf(item) ?? '')
    return item.altText === undefined && altText !== undefined ? { ...item, altText } : item
  }
  const described = <P extends Part>(part: P): P => (part.media ? { ...part, media: part.media.map(itemWith) } : part)
  return {
    ...content,
    ...(ownPart.media.length > 0 && described(ownPart)),
    ...(chain && { chain: chain.map(described) }),
    ...(parts && { parts: parts.map(described) }),
  }
}

function mediaIdOf({ url }: PostMedia): string | undefined {
  return uploadedFileIn(url)?.mediaId
}
