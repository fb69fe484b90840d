import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { takeForms } from '../form-body.ts'
import { decode, invalid } from './refusal.ts'

/** Larger than the largest part, also in base64. */
export const BODY_LIMIT = 24 * 1024 * 1024

export interface MediaForm {
  readonly fields: Readonly<Record<string, string>>
  readonly media: Buffer
}

const multipartForm = z.custom<MediaForm>((value) => value instanceof Parts)
const jsonForm = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

class Parts implements MediaForm {
  readonly fields: Record<string, string> = {}
  media = Buffer.alloc(0)
}

/** Reads the bodies that X takes: forms, JSON, and nothing where a caller announces JSON and sends none. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    async (_: unknown, body: string) => {
      try {
        return body === '' ? undefined : JSON.parse(body)
      } catch {
        throw invalid('body', 'is not JSON')
      }
    },
  )
  app.addContentTypeParser(
    /^multipart\/form-data/,
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async ({ headers }: FastifyRequest, body: Buffer) => partsOf(body, headers['content-type'] ?? ''),
  )
  takeForms(app)
}

/** The parts of a form (RFC 7578). The media may be sent without a file name. */
function partsOf(body: Buffer, contentType: string): Parts {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/.exec(contentType)
  const delimiter = `\r\n--${boundary?.[1] ?? boundary?.[2] ?? ''}`
  // The first delimiter is not preceded by a line break.
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  const parts = new Parts()
  let start = whole.indexOf(delimiter)
  for (;;) {
    const end = start === -1 ? -1 : whole.indexOf(delimiter, start + delimiter.length)
    if (end === -1) break
    const part = whole.subarray(start + delimiter.length, end)
    const head = part.indexOf('\r\n\r\n')
    const name = /^content-disposition: *form-data;.*?\bname="([^"]*)"/im.exec(
      part.toString('latin1', 0, Math.max(0, head)),
    )?.[1]
    if (name === undefined) throw invalid('body', 'is not multipart/form-data')
    const value = part.subarray(head + 4)
    if (name === 'media') parts.media = value
    else parts.fields[name] = value.toString()
    start = end
  }
  if (
    start === -1 ||
    !whole
      .subarray(start + delimiter.length)
      .toString('latin1', 0, 2)
      .startsWith('--')
  ) {
    throw invalid('body', 'is not multipart/form-data')
  }
  return parts
}

/**
 * A form, or the same as JSON with the media in base64.
 *
 * @throws StandInRefusal 400
 */
export function mediaFormOf(body: unknown): MediaForm {
  const parts = multipartForm.safeParse(body).data
  if (parts) return parts
  const { media = '', ...others } = decode(jsonForm, body)
  const fields = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]))
  return { fields, media: Buffer.from(String(media), 'base64') }
}

/** @throws StandInRefusal 400 when there is no media */
export function withMedia(form: MediaForm): MediaForm {
  if (form.media.length === 0) throw invalid('media', 'is missing')
  return form
}
