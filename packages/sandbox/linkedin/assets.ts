import type { MediaType } from '../../../domain/core/platform.ts'
import type { LedgerMedia } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Measured } from './measure.ts'

/** Time that counts as one look when the caller does not poll. */
const LOOK_MS = 4_000

/** By the start of the file: Office files have the types of archives there. */
const TYPES: Readonly<Record<MediaType, RegExp>> = {
  image: /^image\//,
  video: /^video\//,
  document:
    /^application\/(?:pdf|zip|x-cfb|vnd\.openxmlformats-officedocument\.(?:wordprocessing|presentation)ml\..+)$/,
}

export interface Upload {
  readonly urn: string
  readonly owner: string
  readonly mediaType: MediaType
  /** Videos only, as announced. */
  readonly fileSizeBytes: number
  /** Milliseconds since the epoch. */
  readonly urlsExpireAt: number
  /** Videos only: the last upload of each part, by number. */
  readonly parts: Map<number, Measured & { readonly etag: string }>
}

export type Status = 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED'

interface Processing {
  readonly completedAt: number
  readonly looksNeeded: number
  readonly failure: string | undefined
  looks: number
}

export interface Assets {
  begin(upload: Upload): void
  upload(urn: string): Upload | undefined
  /** Completes the upload. */
  complete(upload: Upload, content: Measured): void
  ownerOf(urn: string): string | undefined
  /** @param look whether an outside caller is looking, which advances processing */
  status(urn: string, look: boolean): { readonly status: Status; readonly failure?: string } | undefined
  media(urn: string): LedgerMedia | undefined
}

/** Uploads are lost with the process; completed assets are in the ledger, and available after a restart. */
export function assets({ ledger, clock }: StandInDeps): Assets {
  const uploads = new Map<string, Upload>()
  const processing = new Map<string, Processing>()
  const media = (urn: string) => ledger.media('linkedin', urn)
  return {
    begin: (upload) => void uploads.set(upload.urn, upload),
    upload: (urn) => uploads.get(urn),
    complete: ({ urn, owner, mediaType }, { bytes, mimeType, sha256, script }) => {
      const failure = TYPES[mediaType].test(mimeType) ? script.failure : `the file is ${mimeType}`
      processing.set(urn, { completedAt: clock.now(), looksNeeded: script.looks, failure, looks: 0 })
      ledger.addMedia({ id: urn, platform: 'linkedin', accountId: owner, mediaType, mimeType, bytes, sha256 })
    },
    ownerOf: (urn) => media(urn)?.accountId ?? uploads.get(urn)?.owner,
    status: (urn, look) => {
      const state = processing.get(urn)
      if (!state) {
        if (media(urn)) return { status: 'AVAILABLE' }
        return uploads.has(urn) ? { status: 'WAITING_UPLOAD' } : undefined
      }
      const { completedAt, looksNeeded, failure } = state
      const done = state.looks >= looksNeeded || clock.now() - completedAt >= looksNeeded * LOOK_MS
      if (look) state.looks += 1
      if (!done) return { status: 'PROCESSING' }
      return failure === undefined ? { status: 'AVAILABLE' } : { status: 'PROCESSING_FAILED', failure }
    },
    media,
  }
}
