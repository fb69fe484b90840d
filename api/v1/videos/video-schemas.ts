import * as z from 'zod'
import { ASPECT_RATIOS } from '../../../domain/post/aspect-ratio.ts'
import { text } from '../../../domain/core/text.ts'
import { LONGEST_PROMPT, MOST_SCENES } from '../../../domain/video/video-events.ts'
import { mediaUrl } from '../posts/media-items.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const prompt = text(LONGEST_PROMPT)

const sceneRequest = z.object({
  mediaSource: z
    .enum(['ai', 'upload'], { error: 'must be ai or upload' })
    .optional()
    .describe('Default: upload if there is a mediaUrl, otherwise ai.'),
  aiPrompt: prompt.optional().describe('Prompt of an ai scene. Default: the prompt of the video.'),
  mediaUrl: mediaUrl.optional().describe('Public URL of the video of an upload scene.'),
  voiceoverScript: prompt.optional().describe('Voiceover text of the scene.'),
})

/** Body of POST /videos (api-spec §4, Videos). */
export const requestVideoBody = z
  .object({
    prompt: prompt.optional().describe('Subject of the video; becomes its only scene if scenes is omitted.'),
    scenes: z
      .array(sceneRequest)
      .min(1, { error: 'must contain at least one scene, or be omitted' })
      .max(MOST_SCENES, { error: `must contain at most ${MOST_SCENES} scenes` })
      .optional(),
    aspectRatio: z.enum(ASPECT_RATIOS, { error: `must be one of ${ASPECT_RATIOS.join(', ')}` }).default('9:16'),
    aiVoiceover: z.boolean().default(false).describe('Adds a voiceover as a separate file.'),
    voiceId: text(100).min(1).optional().describe('Default: the configured voice.'),
    saveAsDraft: z.boolean().default(false).describe('Only saves the settings: nothing is generated or charged.'),
  })
  .meta({
    example: {
      prompt: 'Bread for a Monday morning',
      scenes: [{ aiPrompt: 'Dough at four' }, { aiPrompt: 'The oven opens' }],
      aiVoiceover: true,
    },
  })
  // The body is optional (api-spec §4).
  .prefault({})

const step = z.enum(['waiting', 'rendering', 'done', 'failed'])

export const videoSchema = z
  .object({
    id: z.string(),
    status: z.enum(['draft', 'processing', 'ready', 'failed']),
    progressPct: z.int().min(0).max(100),
    statusMessage: z.string().describe('The current progress, or why the video failed.'),
    videoUrl: z
      .string()
      .optional()
      .describe('The clip of the first scene that has one. Set when ready; usable as the mediaUrl of posts.'),
    voiceoverUrl: z.string().optional().describe('The voiceover, as a separate audio file.'),
    scenes: z.array(
      z.object({
        mediaSource: z.enum(['ai', 'upload']),
        aiPrompt: z.string().optional(),
        voiceoverScript: z.string().optional(),
        mediaUrl: z.string().optional().describe('Its clip; for an upload, set from the start.'),
        status: step,
        error: z.string().optional(),
      }),
    ),
    prompt: z.string().optional(),
    aspectRatio: z.enum(ASPECT_RATIOS),
    aiVoiceover: z.boolean(),
    voiceId: z.string().optional(),
    creditsCharged: z.int(),
    mediaExpiredAt: z.iso
      .datetime()
      .optional()
      .describe('When its files were removed to make room for newer media. Their URLs are no longer returned.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({
    id: 'Video',
    examples: [
      {
        id: EXAMPLE.video,
        status: 'ready',
        progressPct: 100,
        statusMessage: 'Ready.',
        videoUrl: 'https://fanfare.example.com/media/5f0c.mp4',
        scenes: [
          {
            mediaSource: 'ai',
            aiPrompt: 'Dough at four',
            mediaUrl: 'https://fanfare.example.com/media/5f0c.mp4',
            status: 'done',
          },
        ],
        prompt: 'Bread for a Monday morning',
        aspectRatio: '9:16',
        aiVoiceover: false,
        creditsCharged: 1,
        createdAt: EXAMPLE.at,
        updatedAt: EXAMPLE.at,
      },
    ],
  })

export const requestedSchema = z
  .object({
    videoId: z.string(),
    id: z.string(),
    creditsRemaining: z.int(),
  })
  .meta({ id: 'RequestedVideo', examples: [{ videoId: EXAMPLE.video, id: EXAMPLE.video, creditsRemaining: 97 }] })

export const creditEntrySchema = z
  .object({
    id: z.string(),
    kind: z.enum(['granted', 'charged', 'refunded']),
    amount: z.int().describe('Always positive; kind gives the direction.'),
    balance: z.int().describe('The balance afterwards.'),
    videoId: z.string().optional(),
    reason: z.string().optional().describe('For a grant: its purpose. For a refund: failed or deleted.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'CreditEntry',
    examples: [
      {
        id: 'ws_01JWB4V0X3Z6C9F2H5K8N1Q4T7:0000000001',
        kind: 'charged',
        amount: 3,
        balance: 97,
        videoId: EXAMPLE.video,
        createdAt: EXAMPLE.at,
      },
    ],
  })
