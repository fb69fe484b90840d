import { handle } from '../../commands/handle.ts'
import { queuePost } from '../../commands/queue-post.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { MEDIA_TYPES } from '../../domain/core/platform.ts'
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
  readonly media: string
  readonly accounts: string
  readonly type?: string
  readonly caption?: string
  readonly json?: boolean
}

/** Queues a post of a file of this computer, or of a public URL. @throws Refusal naming the option */
export async function publish(core: Core, options: PublishOptions) {
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const selections = await selected(core, workspaceId, options.accounts)
  const media = await mediaOf(core, options)
  const id = resourceId('post', core.ids.ulid())
  const content = { caption: options.caption ?? '', captionOverrides: {}, hashtags: [] }
  const command = { workspaceId, origin: 'api', selections, ...media, ...content } as const
  await settled(core, await handle(core, post, id, commandLineCause(core.ids), (state) => queuePost(state, command)))
  return { id, ...media }
}

async function mediaOf(core: Core, { media, type, workspace, json = false }: PublishOptions) {
  if (!/^https?:\/\//i.test(media)) {
    const { mediaUrl, mediaType } = await uploadFile(core, media, { workspace, quiet: json })
    return { mediaUrl, mediaType }
  }
  const mediaType = MEDIA_TYPES.find((known) => known === type)
  if (mediaType === undefined) throw new Refusal('invalid_request', `--type is required with a URL: image or video`)
  return { mediaUrl: media, mediaType }
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
