import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { ById } from '../meta/request.ts'
import { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { directivesOf } from './directives.ts'
import { callerOf } from './tokens.ts'
import type { Videos } from './videos.ts'

const fileUrl = z.url({ protocol: /^https?$/ })

/** The upload host for reels, at the address that `video_reels` returns. Its errors have their own format. */
export function registerTransfer(app: FastifyInstance, videos: Videos, deps: StandInDeps): void {
  const used = new Map<string, number>()

  app.post<ById>('/video-upload/v26.0/:id', (request, reply) => {
    const { authorization = '', file_url: given } = request.headers
    const accountId = ownerOf(/^OAuth (\S+)$/.exec(authorization)?.[1] ?? '', deps)
    if (accountId === undefined) return refuse(reply, 401, false, 'NotAuthorizedError', 'The token is not good')
    const video = videos.find(request.params.id, accountId)
    if (!video) return refuse(reply, 404, false, 'NotFoundError', 'There is no such video')
    const url = fileUrl.safeParse(given)
    if (!url.success) return refuse(reply, 400, false, 'PartialRequestError', 'file_url is missing')
    const directives = directivesOf(url.data, used)
    if (directives.fetch === 'robots') {
      return refuse(reply, 400, false, 'ProcessingFailedError', 'Crawling of the URL is restricted by robots.txt')
    }
    if (directives.fetch !== undefined) {
      return refuse(reply, 400, true, 'ProcessingFailedError', 'The URL could not be fetched')
    }
    videos.take(video, url.data, directives)
    return reply.send({ success: true })
  })
}

function ownerOf(token: string, deps: StandInDeps): string | undefined {
  try {
    const { account, kind } = callerOf(token, deps)
    return kind === 'accessToken' ? account.externalId : undefined
  } catch (error) {
    if (error instanceof StandInRefusal) return undefined
    throw error
  }
}

function refuse(reply: FastifyReply, status: number, retriable: boolean, type: string, message: string): FastifyReply {
  return reply.code(status).send({ debug_info: { retriable, type, message } })
}
