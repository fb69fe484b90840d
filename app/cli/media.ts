import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { beginUpload } from '../../commands/begin-upload.ts'
import { handle } from '../../commands/handle.ts'
import { deleteMedia } from '../../commands/media.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { UPLOAD_TYPES, uploadTypeOf } from '../../domain/core/upload.ts'
import { media as kind } from '../../domain/media/media.ts'
import { fileSource } from '../../infra/media/byte-source.ts'
import { mediaFacts, NotMedia } from '../../infra/media/media-facts.ts'
import { mediaUrl } from '../../infra/media/media-url.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { mustBeUnused } from '../../projections/models/kept-media.ts'
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

/**
 * Uploads a file of this computer.
 *
 * @param quiet without progress
 * @throws Refusal invalid_request if it is not an image or a video that posts take
 */
export async function uploadFile(core: Core, path: string, options: { workspace: string; quiet: boolean }) {
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
  return shownMedia(core, await known(core, id))
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

function shownMedia(core: Core, row: UploadRow) {
  return presentMedia(row, (name) => mediaUrl(core.reachedAt.url, name))
}
