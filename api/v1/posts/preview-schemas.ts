import * as z from 'zod'
import { MEDIA_TYPES } from '../../../domain/core/platform.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const tokenSchema = z.object({
  status: z.enum(['ready', 'resting', 'needs_reauth']),
  restsUntil: z.iso.datetime().optional(),
  reason: z.string().optional(),
  expiresAt: z.string().optional().describe('When the access token expires; it is renewed before then.'),
})

const mediaSchema = z.object({
  mediaType: z.enum(MEDIA_TYPES),
  mimeType: z.string().describe('Detected from the content.'),
  bytes: z.int(),
  width: z.int().optional(),
  height: z.int().optional(),
  durationMs: z.number().optional(),
  pages: z.int().optional().describe('Of a PDF that says how many it has.'),
  videoCodec: z.string().optional().describe('Of an MP4 or MOV: h264, hevc and so on.'),
  audioCodec: z.string().optional(),
  fps: z.number().optional().describe('Frames per second.'),
  hasPosition: z.boolean().optional().describe('Whether it says where it was taken; omitted if it does not.'),
})

const textLength = z
  .object({
    length: z.int(),
    limit: z.int(),
    unit: z.enum(['characters', 'bytes']),
  })
  .describe("How long the text is, and may be, in the platform's own counting.")

const previewItem = z
  .object({
    platform: z.string(),
    accountId: z.string().optional(),
    caption: z.string().describe('The text as it would be published.'),
    textLength: textLength.optional(),
    title: z.string().optional().describe('What people see as its title; omitted where there is none.'),
    firstComment: z.string().optional().describe('The first comment, if it would get one.'),
    parts: z
      .array(z.object({ text: z.string(), textLength: textLength.optional() }))
      .optional()
      .describe('Of a chain: the parts from the second on.'),
    options: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('What the post sets on the account: platformOptions, and over them accountOptions.'),
    media: mediaSchema.optional().describe('Details of the media; omitted if it could not be fetched.'),
    items: z
      .array(mediaSchema.nullable())
      .optional()
      .describe('The details of each item of a post of several; null for one that could not be fetched.'),
    changes: z
      .array(z.string())
      .optional()
      .describe('What is done to the media before they are sent. Omitted if nothing is.'),
    token: tokenSchema.optional(),
    problems: z
      .array(z.string())
      .describe('Every platform rule that the post would break. Empty if it can be published.'),
    details: z
      .array(
        z.object({
          path: z.string().describe('The field of the request that it is about.'),
          message: z.string(),
          unchecked: z
            .literal(true)
            .optional()
            .describe('There was no time to look: publishing takes more, and may find no problem.'),
        }),
      )
      .describe('The same as problems, with their fields.'),
    warnings: z
      .array(z.string())
      .describe(
        'What the platform may refuse or change, although no rule forbids it, and why it currently refuses posts of the ' +
          'account. Publishing is tried anyway.',
      ),
    cost: z
      .object({
        usd: z.number().describe('In US dollars.'),
        kind: z.string(),
        asOf: z.string().describe('When the price was last checked.'),
      })
      .optional()
      .describe('What the platform charges for the post; omitted where publishing is free.'),
  })
  .meta({
    id: 'Preview',
    examples: [
      {
        platform: 'bluesky',
        accountId: EXAMPLE.account,
        caption: 'Fresh from the oven\n\n#bread',
        media: { mediaType: 'image', mimeType: 'image/jpeg', bytes: 48213, width: 1080, height: 1350 },
        textLength: { length: 27, limit: 300, unit: 'characters' },
        token: { status: 'ready' },
        problems: [],
        details: [],
        warnings: [],
      },
    ],
  })

export const previewSchema = z.object({
  previews: z.array(previewItem),
  scheduledAtUtc: z.iso
    .datetime()
    .optional()
    .describe('Only with scheduledFor: the time that the post would be scheduled for. It is not reserved.'),
})
