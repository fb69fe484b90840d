import type { FastifyInstance } from 'fastify'

/** Live versions. They are fixed here; the real ones move with the calendar. The stand-ins answer all of them as their routes' one. */
const [OLDEST, ROUTES, NEWEST] = [21, 26, 27]
const VERSION = /^(\/\w+(?:\/video-upload)?\/v)(\d{1,3})\.\d{1,2}(?=[/?]|$)/

/** Live and earlier versions lead to the same routes. A later one is no version, but part of an unknown path. */
export function withoutVersion(url: string): string {
  return url.replace(VERSION, (all, before: string, version) =>
    Number(version) > NEWEST ? all : `${before}${ROUTES}.0`,
  )
}

/** Adds to every answer which version answered: instead of one that has ended, the oldest live one. */
export function reportVersion(app: FastifyInstance): void {
  app.addHook('onSend', async ({ originalUrl }, reply) => {
    const asked = Number(VERSION.exec(originalUrl)?.[2] ?? OLDEST)
    if (asked <= NEWEST) reply.header('facebook-api-version', `v${Math.max(OLDEST, asked)}.0`)
  })
}
