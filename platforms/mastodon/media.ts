import * as z from 'zod'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { hasStatus } from '../kit/errors.ts'
import { multipart } from '../kit/multipart.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { uploadTimeoutMs } from '../kit/rest.ts'
import { callAs } from './api.ts'

/** `url` is absent until the media is processed. Some servers show another id in posts, but the same URL. */
const attachment = z.object({
  id: z.string().min(1).max(200),
  url: z.string().max(2_048).nullish().catch(undefined),
})
export interface Upload {
  readonly id: string
  readonly url?: string | undefined
}

/** File names by type: a server may go by them. */
const EXTENSIONS = new Map([
  ['image/jpeg', 'jpg'],
  ['video/quicktime', 'mov'],
])

/**
 * Uploads one item. What no post shows is deleted by the server after a day.
 *
 * @param name unique in the account: some servers derive the id from it
 */
export async function upload(
  media: SpooledMedia,
  name: string,
  altText: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<Upload> {
  const { bytes, mimeType } = media.facts
  const fileName = `${name}.${EXTENSIONS.get(mimeType) ?? mimeType.slice(mimeType.indexOf('/') + 1)}`
  const file = { name: 'file', fileName, type: mimeType, bytes, open: () => media.open() }
  const description = altText.replaceAll(/[\r\n]+/g, ' ').trim()
  const content = multipart(description === '' ? {} : { description }, file)
  const call = { method: 'POST', path: '/api/v2/media', content, timeoutMs: uploadTimeoutMs(bytes) } as const
  return uploadIn(await callAs(account, call, attachment, io))
}

/** An upload as it is now; undefined if the server does not know it, or a post shows it. @throws PlatformError if it failed */
export async function look({ id }: Upload, account: PlatformAccount, io: PlatformIo): Promise<Upload | undefined> {
  try {
    const call = { method: 'GET', path: `/api/v1/media/${encodeURIComponent(id)}` } as const
    return uploadIn(await callAs(account, call, attachment, io))
  } catch (error) {
    if (hasStatus(error, 404)) return undefined
    throw error
  }
}

function uploadIn({ id, url }: z.infer<typeof attachment>): Upload {
  return { id, ...(url && { url }) }
}
