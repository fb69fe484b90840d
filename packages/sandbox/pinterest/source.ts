import type { LedgerAccount, LedgerItem, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { download } from './download.ts'
import type { NewPin } from './new-pin.ts'
import { invalid, namedRefusal } from './refusal.ts'
import { imageScript } from './script.ts'
import type { Uploads } from './uploads.ts'

type Source = LedgerItem & Pick<LedgerPost, 'items'> & { readonly listedAfterS: number }

/**
 * Resolves a Pin's media, fetching it if necessary.
 *
 * @throws StandInRefusal
 */
export async function sourceOf(
  { media_source: source }: NewPin,
  account: LedgerAccount,
  uploads: Uploads,
  deps: StandInDeps,
): Promise<Source> {
  if (source.source_type === 'image_url') return imageAt(source.url)
  if (source.source_type === 'multiple_image_urls') {
    const images: Source[] = []
    for (const { url } of source.items) images.push(await imageAt(url))
    const [first] = images
    if (!first) throw new Error('the schema wants two')
    return { ...first, items: images.map(({ mediaUrl }) => ({ mediaUrl, mediaType: 'image' })) }
  }
  const { media_id, cover_image_url, cover_image_key_frame_time: second } = source
  if ((cover_image_url === undefined) === (second === undefined)) {
    throw invalid('one of cover_image_url, cover_image_data and cover_image_key_frame_time is required')
  }
  const { status, darkStart } = uploads.script(account, media_id)
  if (status !== 'succeeded') throw invalid(`media_id: the media is ${status}`)
  if (darkStart && second === 0) throw invalid('cover_image_key_frame_time: no cover image can be made of this frame')
  return { mediaUrl: `${deps.baseUrl()}/v5/media/${media_id}`, mediaType: 'video', listedAfterS: 0 }
}

async function imageAt(url: string): Promise<Source> {
  const { error, listedAfterS = 0 } = imageScript(url)
  if (error !== undefined) throw namedRefusal(error)
  const image = await download(url)
  if (image === 'unreachable') throw invalid('Unable to reach the URL. Please check the URL and try again.')
  if (image === 'broken') throw namedRefusal('235')
  return { mediaUrl: url, mediaType: 'image', listedAfterS }
}
