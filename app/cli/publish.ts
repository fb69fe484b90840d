import { withAltTexts } from '../../api/v1/posts/alt-texts.ts'
import { handle } from '../../commands/handle.ts'
import { queuePost } from '../../commands/queue-post.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { MEDIA_TYPES } from '../../domain/core/platform.ts'
import { shown, type PostMedia } from '../../domain/post/post-media.ts'
import type { ChainPart } from '../../domain/post/post-events.ts'
import { post } from '../../domain/post/post.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { connectedAccounts } from '../../projections/models/accounts.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import { uploadFile } from './media.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

export interface PublishOptions {
  readonly workspace: string
  readonly media?: readonly string[]
  /** Of the media at the same place. */
  readonly alt?: readonly string[]
  readonly accounts: string
  /** Of the media at the same place; the last one counts for all that follow. */
  readonly type?: readonly string[]
  readonly caption?: string
  /** The texts of the parts that follow as replies. */
  readonly part?: readonly string[]
  readonly json?: boolean
}

/** Queues a post of a text, files of this computer, or public URLs. @throws Refusal naming the option */
export async function publish(core: Core, options: PublishOptions) {
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const selections = await selected(core, workspaceId, options.accounts)
  const media = await itemsOf(core, options)
  const { caption = '', part = [] } = options
  if (media.length === 0 && caption.trim() === '') {
    throw new Refusal('invalid_request', '--media or --caption is required')
  }
  if (part.some((text) => text.trim() === '')) throw new Refusal('invalid_request', '--part must not be empty')
  const id = resourceId('post', core.ids.ulid())
  const chain = part.length > 0 && { chain: part.map((text): ChainPart => ({ text })) }
  const content = { ...shown(media), caption, ...chain, captionOverrides: {}, hashtags: [] }
  const described = await withAltTexts(core, workspaceId, content)
  const command = { workspaceId, origin: 'api', selections, ...described } as const
  await settled(core, await handle(core, post, id, commandLineCause(core.ids), (state) => queuePost(state, command)))
  const { mediaUrl, mediaType } = content
  return { id, ...(media.length > 0 && { mediaUrl, mediaType, media }) }
}

async function itemsOf(core: Core, options: PublishOptions): Promise<readonly PostMedia[]> {
  const { media = [], alt = [], type = [] } = options
  if (alt.length > media.length) throw new Refusal('invalid_request', '--alt is given more often than --media')
  const itemAt = async (index: number): Promise<PostMedia> => {
    const altText = alt[index] ?? ''
    const item = await itemOf(core, media[index] ?? '', type[index] ?? type.at(-1), options)
    return altText === '' ? item : { ...item, altText }
  }
  const items: PostMedia[] = []
  for (const index of media.keys()) items.push(await itemAt(index))
  return items
}

async function itemOf(
  core: Core,
  media: string,
  type: string | undefined,
  { workspace, json = false }: PublishOptions,
): Promise<PostMedia> {
  if (!/^https?:\/\//i.test(media)) {
    const { mediaUrl, mediaType } = await uploadFile(core, media, { workspace, quiet: json })
    return { url: mediaUrl, type: mediaType }
  }
  const mediaType = MEDIA_TYPES.find((known) => known === type)
  if (mediaType === undefined)
    throw new Refusal('invalid_request', '--type is required with a URL: image, video or document')
  return { url: media, type: mediaType }
}

async function selected({ db }: Core, workspaceId: string, given: string): Promise<Record<string, string[]>> {
  const connected = await connectedAccounts(db, workspaceId)
  const selections: Record<string, string[]> = {}
  for (const id of new Set(given.split(',').map((name) => name.trim()))) {
    const account = connected.find((one) => one.id === id)
    if (!account) throw new Refusal('invalid_request', `--accounts: ${id} is not a connected account of the workspace`)
    selections[account.platform] = [...(selections[account.platform] ?? []), id]
  }
  return selections
}
