import type { StandInDeps } from '../stand-in.ts'
import { notFound } from './refusal.ts'
import { append, directiveIn, finish, ledgerMedia, type PartialUpload } from './uploads.ts'

/** Uploads in progress, shared by all base paths of the stand-in. */
export interface UploadShelf {
  readonly uploads: Map<string, PartialUpload>
  /** The directives of finished media, by media id, for the posts that show them. */
  readonly directives: Map<string, string>
  newId(taken: (id: string) => boolean): string
}

/** An upload that is being processed, or cannot be. */
export interface Session {
  readonly upload: PartialUpload
  readonly error?: string
}

type Finished = Omit<Parameters<typeof ledgerMedia>[0], 'id'> & Pick<PartialUpload, 'tail'>
type Begun = Pick<PartialUpload, 'accountId' | 'category' | 'mimeType' | 'totalBytes'>

export function uploadsIn({ uploads, directives, newId }: UploadShelf, { ledger, files }: StandInDeps) {
  const unusedId = (): string => newId((id) => uploads.has(id) || ledger.media('x', id) !== undefined)
  const keep = (upload: Finished, sha256: string, id = unusedId()): string => {
    ledger.addMedia(ledgerMedia({ ...upload, id }, sha256))
    const directive = directiveIn(upload.tail)
    if (directive) directives.set(id, directive.name)
    return id
  }
  const keepParts = (upload: PartialUpload): void => {
    keep(upload, upload.hash.digest(), upload.id)
    uploads.delete(upload.id)
  }
  return {
    keep,
    append,
    begin: (begun: Begun): PartialUpload => {
      const none = Buffer.alloc(0)
      const fresh = { hash: files.hash(), parts: [], head: none, tail: none, bytes: 0 }
      const upload: PartialUpload = { ...begun, ...fresh, id: unusedId() }
      uploads.set(upload.id, upload)
      return upload
    },
    /** @throws StandInRefusal 404 */
    of: (id: string, accountId: string): PartialUpload => {
      const upload = uploads.get(id)
      if (upload?.accountId !== accountId) throw notFound(`Could not find media with media_id: [${id}].`)
      return upload
    },
    /** @returns whether it is processed now; otherwise it is ready @throws StandInRefusal 400 */
    finish: async (upload: PartialUpload): Promise<boolean> => {
      await finish(upload)
      const isImage = upload.category === 'tweet_image' && upload.processing?.error === undefined
      if (isImage) keepParts(upload)
      return !isImage
    },
    /** A look at the processing; undefined if there is none, or no more. */
    look: (id: string, accountId: string): Session | undefined => {
      const upload = uploads.get(id)
      const { processing } = upload ?? {}
      if (upload?.accountId !== accountId || !processing) return undefined
      if (processing.looksLeft > 0) {
        processing.looksLeft -= 1
        return { upload }
      }
      if (processing.error !== undefined) return { upload, error: processing.error }
      keepParts(upload)
      return undefined
    },
  }
}
