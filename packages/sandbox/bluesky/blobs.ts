import type { FastifyInstance } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import type { LedgerMedia } from '../ledger.ts'
import { measure } from '../measure.ts'
import { streamOf, takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { cid } from './identity.ts'
import type { Blob } from './record-schema.ts'
import { invalid, xrpcRefusal } from './refusal.ts'
import type { Sessions } from './sessions.ts'

/** Size limit of one upload in bytes, as Bluesky's own servers document it. */
const UPLOAD_LIMIT = 52_428_800

/** `uploadBlob`: bytes are counted and hashed. A blob is known only to its account. */
export function registerBlobs(app: FastifyInstance, sessions: Sessions, deps: StandInDeps): void {
  void app.register(async (scope) => {
    takeStreams(scope)

    scope.post('/xrpc/com.atproto.repo.uploadBlob', async (request, reply) => {
      const { account } = sessions.authenticate(request.headers.authorization, 'access')
      const declared = request.headers['content-type']
      const body = streamOf(request.body)
      if (declared === undefined || !body) {
        throw invalid('Request encoding (Content-Type) required but not provided')
      }
      const file = await measure(body, deps.files.hash(), UPLOAD_LIMIT)
      if (!file) throw xrpcRefusal(413, 'PayloadTooLarge', 'request entity too large')
      const { head, bytes, sha256 } = file
      const mimeType = (await fileTypeFromBuffer(head))?.mime ?? declared
      const id = cid('raw', Buffer.from(sha256, 'hex'))
      const kind = /^(image|video)\//.exec(mimeType)?.[1]
      if (kind === 'image' || kind === 'video') {
        deps.ledger.addMedia({
          id: mediaId(account.externalId, id),
          platform: 'bluesky',
          accountId: account.externalId,
          mediaType: kind,
          mimeType,
          bytes,
          sha256,
        })
      }
      const blob: Blob = { $type: 'blob', ref: { $link: id }, mimeType, size: bytes }
      return reply.send({ blob })
    })
  })

  app.get<{ Params: { did: string; cid: string } }>('/blobs/:did/:cid', (request, reply) => {
    const media = deps.ledger.media('bluesky', mediaId(request.params.did, request.params.cid))
    if (!media) throw xrpcRefusal(404, 'BlobNotFound', 'Blob not found')
    const { mediaType, mimeType, bytes, sha256 } = media
    return reply.send({ mediaType, mimeType, bytes, sha256 })
  })
}

/** Where the sandbox describes a blob. The real server returns the bytes, at another path. */
export function blobUrl(account: string, { ref }: Blob, deps: StandInDeps): string {
  return `${deps.baseUrl()}/blobs/${account}/${ref.$link}`
}

/**
 * Requires a referenced blob to have been uploaded by the account and to match the record.
 *
 * @throws StandInRefusal 400 BlobNotFound, InvalidMimeType or InvalidSize
 */
export function mustBeUploaded(account: string, blob: Blob, { ledger }: StandInDeps): LedgerMedia {
  const media = ledger.media('bluesky', mediaId(account, blob.ref.$link))
  if (!media) throw xrpcRefusal(400, 'BlobNotFound', `Could not find blob: ${blob.ref.$link}`)
  const mismatch = (what: string, expected: string | number, got: string | number): string =>
    `Referenced ${what} does not match stored blob. Expected: ${expected}, Got: ${got}`
  if (blob.mimeType !== media.mimeType) {
    throw xrpcRefusal(400, 'InvalidMimeType', mismatch('Mimetype', media.mimeType, blob.mimeType))
  }
  if (blob.size !== media.bytes) throw xrpcRefusal(400, 'InvalidSize', mismatch('Size', media.bytes, blob.size))
  return media
}

function mediaId(account: string, cid: string): string {
  return `${account}/${cid}`
}
