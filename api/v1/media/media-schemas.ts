import * as z from 'zod'
import { MEDIA_TYPES } from '../../../domain/core/platform.ts'
import { text } from '../../../domain/core/text.ts'
import { UPLOAD_TYPES } from '../../../domain/core/upload.ts'
import { pageQuery } from '../../http/pagination.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const edit = {
  altText: text(5000).describe('What it shows. Posts that give none of their own have this one.'),
  keep: z.boolean().describe('Whether it is kept until it is deleted, used or not, whatever room newer media need.'),
}

/** Body of PATCH /media/{id}. */
export const editMediaBody = z
  .object({
    altText: edit.altText.nullable().optional(),
    keep: edit.keep.optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'must have altText or keep',
  })
  .meta({ example: { altText: 'Three loaves of rye bread on a wooden table', keep: true } })

/** Query of GET /media. */
export const mediaQuery = pageQuery.extend({
  mediaType: z
    .enum(MEDIA_TYPES, { error: 'must be video, image or document' })
    .optional()
    .describe('Only images, only videos, or only documents.'),
  used: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional()
    .describe('Only files that something has used, or that nothing has.'),
  q: text(200).min(1).optional().describe('Only files whose name or alt text contains this text, in any case.'),
})

/** Body of POST /uploads. */
export const startUploadBody = z
  .object({
    fileName: text(255)
      .min(1)
      .regex(/^[^/\\]+$/, { error: 'must be the name of a file, without a folder' })
      .describe('Shown in lists.'),
    contentType: z
      .enum(UPLOAD_TYPES, { error: `must be one of ${UPLOAD_TYPES.join(', ')}` })
      .describe('What the file is. It is compared with the content.'),
    sizeBytes: z.int().positive({ error: 'must be the size of the file in bytes' }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hexadecimal digits' })
      .transform((hex) => hex.toLowerCase())
      .optional()
      .describe('SHA-256 of the file. If given, a file with another one is refused.'),
    altText: edit.altText.optional(),
    keep: edit.keep.optional(),
  })
  .meta({ example: { fileName: 'bread.jpg', contentType: 'image/jpeg', sizeBytes: 182_044 } })

const MEDIA_URL = `https://fanfare.example.com/media/${'5f0c'.repeat(8)}${EXAMPLE.media.slice(4).toLowerCase()}.jpg`

export const startedUploadSchema = z
  .object({
    uploadId: z.string(),
    id: z.string().describe('The same as uploadId: the id of the media.'),
    uploadUrl: z
      .string()
      .describe('Send the bytes here with PUT. No API key is needed: keep the URL to yourself until expiresAt.'),
    mediaUrl: z.string().describe('The mediaUrl of posts, once the upload is complete.'),
    expiresAt: z.iso.datetime().describe('When an upload that is not complete is deleted.'),
  })
  .meta({
    id: 'StartedUpload',
    examples: [
      {
        uploadId: EXAMPLE.media,
        id: EXAMPLE.media,
        uploadUrl: `https://fanfare.example.com/uploads/${EXAMPLE.media}/${'k3v9'.repeat(8)}`,
        mediaUrl: MEDIA_URL,
        expiresAt: EXAMPLE.at,
      },
    ],
  })

const user = z.object({
  type: z.enum(['post', 'scheduled_post', 'draft', 'video', 'recycling_rule']),
  id: z.string(),
  caption: z.string().optional().describe('Of a post or a draft.'),
  at: z.iso.datetime().describe('When it was created, or is due.'),
})

export const mediaSchema = z
  .object({
    id: z.string(),
    status: z.enum(['uploading', 'ready', 'failed']),
    error: z.string().optional().describe('Why the upload failed.'),
    fileName: z.string(),
    contentType: z.enum(UPLOAD_TYPES),
    sizeBytes: z.int(),
    sha256: z.string().optional(),
    mediaUrl: z.string().describe('The mediaUrl of posts. Anyone who has it can read the file.'),
    mediaType: z.enum(MEDIA_TYPES),
    thumbnailUrl: z
      .string()
      .optional()
      .describe('A JPEG of at most 640 pixels, for lists. Of an image, once it is ready.'),
    altText: z.string().optional().describe('The one last given to it, here or in a post.'),
    keep: edit.keep,
    width: z.int().optional(),
    height: z.int().optional(),
    durationMs: z.int().optional(),
    usedAt: z.iso.datetime().optional().describe('When a post first used it.'),
    expiresAt: z.iso
      .datetime()
      .optional()
      .describe(
        'When it is deleted, unless the upload is complete, or the file kept or used, by then. Absent once it is.',
      ),
    usedBy: z
      .array(user)
      .optional()
      .describe('What shows it, newest first, among the 20 that named it last. Not in lists.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Media',
    examples: [
      {
        id: EXAMPLE.media,
        status: 'ready',
        fileName: 'bread.jpg',
        contentType: 'image/jpeg',
        sizeBytes: 182_044,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        mediaUrl: MEDIA_URL,
        mediaType: 'image',
        thumbnailUrl: `${MEDIA_URL}/thumbnail`,
        altText: 'Three loaves of rye bread on a wooden table',
        keep: false,
        width: 1080,
        height: 1350,
        expiresAt: EXAMPLE.at,
        createdAt: EXAMPLE.at,
      },
    ],
  })
