import type { FastifyInstance } from 'fastify'

/** As Mastodon is shipped, version 4.5. */
export const LIMITS = {
  statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
  media_attachments: {
    ...{ description_limit: 1_500, image_matrix_limit: 33_177_600, image_size_limit: 16_777_216 },
    ...{ video_frame_rate_limit: 120, video_matrix_limit: 8_294_400, video_size_limit: 103_809_024 },
    supported_mime_types: [
      ...['image/jpeg', 'image/png', 'image/gif', 'image/heic', 'image/heif', 'image/webp', 'image/avif'],
      ...['video/webm', 'video/mp4', 'video/quicktime', 'video/ogg'],
    ],
  },
} as const

/** What the server is, and takes. */
export function registerInstance(app: FastifyInstance): void {
  const what = { title: 'Mastodon', version: '4.5.0', description: 'The sandbox', languages: ['en'] }
  app.get('/api/v2/instance', (_request, reply) =>
    reply.send({ domain: 'mastodon.test', ...what, configuration: LIMITS, api_versions: { mastodon: 7 } }),
  )
  app.get('/api/v1/instance', (_request, reply) =>
    reply.send({ uri: 'mastodon.test', ...what, configuration: LIMITS, registrations: false }),
  )
}
