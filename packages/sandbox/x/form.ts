import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { takeForms } from '../form-body.ts'
import { invalid } from './refusal.ts'

/** Larger than the largest image, and thus than any part. */
const FORM_LIMIT = 16 * 1024 * 1024

export interface MediaForm {
  readonly fields: Readonly<Record<string, string>>
  readonly media: Buffer
}

const mediaForm = z.custom<MediaForm>((value) => typeof value === 'object' && value !== null && 'media' in value)

/** Reads `multipart/form-data` with fields and one file, `media`. */
export function addFormParsers(app: FastifyInstance): void {
  const form = /^multipart\/form-data/
  app.addContentTypeParser(
    form,
    { parseAs: 'buffer', bodyLimit: FORM_LIMIT },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const parts = await new Response(Uint8Array.from(body), { headers }).formData().catch(() => {
        throw invalid('body', 'is not multipart/form-data')
      })
      const fields: Record<string, string> = {}
      let media = Buffer.alloc(0)
      for (const [name, value] of parts) {
        if (typeof value === 'string') fields[name] = value
        else if (name === 'media') media = Buffer.from(await value.arrayBuffer())
        else throw invalid(name, 'is not a parameter')
      }
      return { fields, media }
    },
  )
  takeForms(app)
}

/** @throws StandInRefusal 400 when there is no file */
export function mediaFormOf(body: unknown): MediaForm {
  const result = mediaForm.safeParse(body)
  if (!result.success || result.data.media.length === 0) throw invalid('media', 'is missing')
  return result.data
}
