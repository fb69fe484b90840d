import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { beginUpload } from '../../commands/begin-upload.ts'
import { handle } from '../../commands/handle.ts'
import { deleteMedia, editMedia } from '../../commands/media.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { UPLOAD_TYPES, uploadTypeOf } from '../../domain/core/upload.ts'
import { media as kind, type MediaEdit } from '../../domain/media/media.ts'
import { fileSource } from '../../infra/media/byte-source.ts'
import { mediaFacts, NotMedia } from '../../infra/media/media-facts.ts'
import { mediaUrl } from '../../infra/media/media-url.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { mustBeUnused } from '../../projections/models/kept-media.ts'
import { mediaUsers, type MediaUser } from '../../projections/models/media-uses.ts'
import { findUpload, listUploads, type UploadRow } from '../../projections/models/media.ts'
import { presentMedia, presentReady } from '../../api/v1/media/present-media.ts'
import type { Core } from '../wiring/core.ts'
import { uploadServices } from '../wiring/uploads.ts'
import { commandLineCause } from './cause.ts'
import { progressBar } from './progress-bar.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

/** Listed at once. */
const MOST_LISTED = 1_000

interface UploadOptions extends MediaEdit {
  readonly workspace: string
  /** Without progress. */
  readonly quiet: boolean
}

/**
 * Uploads a file of this computer.
 *
 * @throws Refusal invalid_request if it is not an image, a video or a document that posts take
 */
export async function uploadFile(core: Core, path: string, options: UploadOptions) {
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const uploads = uploadServices(core, await core.derivationSecret())
  const file = await open(path).catch((cause: unknown) => {
    throw new Refusal('invalid_request', `${path} cannot be read: ${cause instanceof Error ? cause.message : ''}`)
  })
  const bar = options.quiet || !process.stderr.isTTY ? undefined : progressBar(process.stderr, core.clock)
  try {
    const { contentType, sizeBytes } = await announced(path, await fileSource(file))
    const id = resourceId('med', core.ids.ulid())
    const cause = commandLineCause(core.ids)
    await beginUpload(
      { ...core, uploads },
      id,
      { workspaceId, fileName: basename(resolve(path)), contentType, sizeBytes },
      async (decide) => {
        const handled = await handle(core, kind, id, cause, decide)
        await settled(core, handled)
        return handled.state
      },
      options,
    )
    const content = async function* () {
      let sent = 0
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) {
        yield chunk
        sent += chunk.length
        bar?.tell(`${Math.floor((100 * sent) / sizeBytes)} % of ${Math.ceil(sizeBytes / 1e6)} MB`)
      }
    }
    const whole = { kind: 'whole', bytes: sizeBytes } as const
    const done = await uploads.receive(id, whole, content(), new AbortController().signal)
    if (done.status !== 'complete') throw new Error(`${path} was changed while it was being read`)
    return presentReady(id, done.media, (name) => mediaUrl(core.reachedAt.url, name))
  } finally {
    bar?.end()
    await file.close()
  }
}

async function announced(path: string, source: Awaited<ReturnType<typeof fileSource>>) {
  try {
    const { mimeType, bytes: sizeBytes } = await mediaFacts(source)
    const contentType = uploadTypeOf(mimeType)
    if (contentType === undefined) throw new NotMedia(`a file of type ${mimeType}`)
    return { contentType, sizeBytes }
  } catch (error) {
    if (!(error instanceof NotMedia)) throw error
    throw new Refusal('invalid_request', `${path} is ${error.message}; posts take ${UPLOAD_TYPES.join(', ')}`)
  }
}

export async function mediaOf(core: Core, workspace: string) {
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  const rows = await listUploads(core.db, { workspaceId, limit: MOST_LISTED })
  return rows.map((row) => shownMedia(core, row))
}

export async function showMedia(core: Core, id: string) {
  const row = await known(core, id)
  return shownMedia(core, row, await mediaUsers(core.db, row, undefined))
}

/** @throws Refusal not_found, or failed_precondition while its upload is not complete */
export async function editMediaOf(core: Core, id: string, edit: MediaEdit) {
  await known(core, id)
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, kind, id, cause, (state) => editMedia(state, edit)))
  return showMedia(core, id)
}

/** @throws Refusal not_found, or failed_precondition while something scheduled uses it */
export async function deleteMediaOf(core: Core, id: string): Promise<{ id: string; deleted: true }> {
  await mustBeUnused(core.db, await known(core, id))
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, kind, id, cause, (state) => deleteMedia(state, 'requested')))
  return { id, deleted: true }
}

async function known({ db }: Core, id: string): Promise<UploadRow> {
  const row = await findUpload(db, id)
  if (!row) throw new Refusal('not_found', `There is no media ${id}.`)
  return row
}

function shownMedia(core: Core, row: UploadRow, usedBy?: readonly MediaUser[]) {
  return presentMedia(row, (name) => mediaUrl(core.reachedAt.url, name), usedBy)
}
