import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import type { SmallImage } from '../../domain/media/small-image.ts'
import { isMediaName } from '../../infra/media/media-name.ts'
import { MEDIA_PATH, thumbnailPath } from '../../infra/media/media-url.ts'
import { otherMethods } from '../http/methods.ts'
import { sentImage } from '../http/sent-image.ts'

const path = z.object({ name: z.string() })

export interface Thumbnails {
  readonly smallImage: SmallImage
  readonly urlOf: (file: string) => string
  /** The workspace of an image that was uploaded. */
  readonly ownerOfImage: (file: string) => Promise<string | undefined>
}

/** `/media/<name>/thumbnail`: small copies of uploaded images, for anyone with the URL, as the files themselves. */
export function thumbnailRoutes(app: FastifyInstance, { smallImage, urlOf, ownerOfImage }: Thumbnails): void {
  const url = `${MEDIA_PATH}/${thumbnailPath(':name')}`
  app.get(url, async (request, reply) => {
    const { name } = path.parse(request.params)
    const workspaceId = isMediaName(name) ? await ownerOfImage(name) : undefined
    if (workspaceId === undefined) throw new Refusal('not_found', 'No such file.')
    return sentImage(reply, await smallImage({ workspaceId, url: urlOf(name) }), 'public, max-age=3600')
  })
  otherMethods(app, url, ['GET'])
}
