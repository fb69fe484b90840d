import * as z from 'zod'
import { beginUpload } from '../../../commands/begin-upload.ts'
import { deleteMedia, editMedia } from '../../../commands/media.ts'
import { text } from '../../../domain/core/text.ts'
import { mediaTypeOf, UPLOAD_TYPES } from '../../../domain/core/upload.ts'
import { media as kind } from '../../../domain/media/media.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { mustBeUnused } from '../../../projections/models/kept-media.ts'
import { mediaUsers } from '../../../projections/models/media-uses.ts'
import { findUpload, listUploads, type UploadRow } from '../../../projections/models/media.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import { decider } from '../../kit/decide.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'
import { editMediaBody, mediaQuery, mediaSchema, startedUploadSchema, startUploadBody } from './media-schemas.ts'
import { presentMedia } from './present-media.ts'

const TAG = 'Media'
const ONE = '/media/{id}'
const params = z.object({ id: text(100) })

/** Files from a disk, for posts. Their bytes go to `/uploads` (`api/ops/uploads.ts`): this API takes JSON only. */
export function mediaRoutes(services: Services): readonly AnyRoute[] {
  const { db, uploads } = services
  const urlOf = (file: string) => services.videos.urlOf(file)
  const decide = decider(services, kind)
  const shownTo = async ({ actor }: Caller, row: UploadRow) =>
    presentMedia(row, urlOf, await mediaUsers(db, row, actor.id))
  const own = async (id: string, caller: Caller): Promise<UploadRow> => owned(await findUpload(db, id), caller, 'media')

  return [
    route({
      method: 'POST',
      path: '/uploads',
      operationId: 'startUpload',
      summary: 'Upload a file to post',
      description:
        'For an image, a video or a document that has no public URL. Send its bytes to the returned uploadUrl with PUT, for ' +
        'example with curl -T bread.jpg "$uploadUrl", and use the returned mediaUrl in posts once the response is ' +
        '200 or 201. An upload that breaks off can be resumed with Content-Range.',
      tag: TAG,
      scope: 'posts:write',
      proposable: true,
      body: startUploadBody,
      idempotent: true,
      confidential: true,
      mayConflict: true,
      answer: { status: 201, description: 'Started. Send the bytes to uploadUrl.', schema: startedUploadSchema },
      handle: async (made) => {
        const { body, caller, work } = made
        const id = resourceId('med', work)
        const { altText, keep, ...file } = body
        const announced = { ...file, workspaceId: caller.workspaceId }
        const begun = await beginUpload(services, id, announced, (decision) => decide(made, id, decision), {
          altText,
          keep,
        })
        const urls = { uploadUrl: uploads.urlOf(id), mediaUrl: urlOf(begun.file) }
        return { status: 201, body: { uploadId: id, id, ...urls, expiresAt: begun.expiresAt } }
      },
    }),

    listRoute(services, {
      path: '/media',
      operationId: 'listMedia',
      summary: 'List uploaded media, newest first',
      tag: TAG,
      scope: 'posts:read',
      query: mediaQuery,
      plural: 'media',
      item: mediaSchema,
      fetch: (page, { query: { mediaType, used, q } }) =>
        listUploads(
          db,
          page,
          [
            {
              sql: `content_type = any($)`,
              value: mediaType && UPLOAD_TYPES.filter((type) => mediaTypeOf(type) === mediaType),
            },
            { sql: '(used_at is not null) = $::boolean', value: used },
            {
              sql: `position(lower($::text) in lower(file_name || ' ' || coalesce(alt_text, ''))) > 0`,
              value: q,
            },
          ].filter(({ value }) => value !== undefined),
        ),
      present: (row) => presentMedia(row, urlOf),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: ONE,
      operationId: 'getMedia',
      summary: 'Get one uploaded file',
      description: 'Its status is uploading until all of its bytes have arrived, then ready, or failed with an error.',
      tag: TAG,
      scope: 'posts:read',
      params,
      answer: { status: 200, description: 'The media.', schema: mediaSchema },
      handle: async ({ params: { id }, caller }) => ({
        status: 200,
        body: await shownTo(caller, await own(id, caller)),
      }),
    }),

    route({
      method: 'PATCH',
      path: ONE,
      operationId: 'editMedia',
      summary: 'Set the alt text of an uploaded file, or keep it',
      description: 'Posts made before keep their alt texts. An altText of null removes it.',
      tag: TAG,
      scope: 'posts:write',
      params,
      body: editMediaBody,
      mayConflict: true,
      answer: { status: 200, description: 'The media.', schema: mediaSchema },
      handle: async (made) => {
        const { params, body, caller } = made
        await own(params.id, caller)
        const { altText, keep } = body
        await decide(made, params.id, (state) =>
          editMedia(state, { keep, ...(altText !== undefined && { altText: altText ?? '' }) }),
        )
        return { status: 200, body: await shownTo(caller, await own(params.id, caller)) }
      },
    }),

    route({
      method: 'DELETE',
      path: ONE,
      operationId: 'deleteMedia',
      summary: 'Permanently delete an uploaded file, or cancel its upload',
      description: 'Refused with failed_precondition while a scheduled post or a recycling rule needs the file.',
      tag: TAG,
      scope: 'posts:write',
      params,
      mayConflict: true,
      answer: { status: 204, description: 'Deleted.' },
      handle: async (made) => {
        const { id } = made.params
        await mustBeUnused(db, await own(id, made.caller))
        await decide(made, id, (state) => deleteMedia(state, 'requested'))
        return { status: 204 }
      },
    }),
  ]
}
