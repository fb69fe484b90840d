import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Ids } from '../../infra/runtime/ids.ts'
import { registerAi } from './ai.ts'
import { RENDERER } from './ai/tools.ts'
import type { ClipLimits } from './ai/clip-limits.ts'
import { openVideoJobs } from './ai/video-jobs.ts'
import { createVoices } from './ai/voice.ts'
import { blueskyStandIn } from './bluesky.ts'
import { registerControl } from './control.ts'
import { facebookStandIn } from './facebook.ts'
import { scriptedFaults, type Faults } from './faults.ts'
import { googlebusinessStandIn } from './googlebusiness.ts'
import { instagramStandIn } from './instagram.ts'
import { openFiles, type Files } from './files.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { linkedinStandIn } from './linkedin.ts'
import { mastodonStandIn } from './mastodon.ts'
import { errorBody } from './refusal.ts'
import { registerPages } from './pages.ts'
import { pinterestStandIn } from './pinterest.ts'
import { registerSamples } from './samples.ts'
import type { StandIn } from './stand-in.ts'
import { threadsStandIn } from './threads.ts'
import { tiktokStandIn } from './tiktok.ts'
import { welcomePage } from './welcome.ts'
import { xStandIn } from './x.ts'
import { youtubeStandIn } from './youtube.ts'

export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number
  /** Loopback, except in a container: the sandbox has no secrets and no protection. */
  readonly host: string
  /** Where the state is kept across restarts; created when missing. Without one, it is kept in memory. */
  readonly dataDir?: string
  readonly clock: Clock
  readonly ids: Ids
  /** Replace the default ones of their platforms. */
  readonly standIns?: readonly StandIn[]
  /** The folder of the package that renders and speaks; defaults to this one. */
  readonly renderer?: string
  /** Limits for the rendered clips. */
  readonly clipLimits?: ClipLimits
}

export interface Sandbox {
  /** `http://127.0.0.1:<port>`. A platform's stand-in is at `<url>/<platform>`. */
  readonly url: string
  readonly ledger: Ledger
  readonly files: Files
  readonly faults: Faults
  close(): Promise<void>
}

/** Every platform's stand-in. A new one only has to be added here. */
const STAND_INS: readonly StandIn[] = [
  blueskyStandIn,
  facebookStandIn,
  googlebusinessStandIn,
  instagramStandIn,
  linkedinStandIn,
  mastodonStandIn,
  pinterestStandIn,
  threadsStandIn,
  tiktokStandIn,
  xStandIn,
  youtubeStandIn,
]

/** @throws when the port is taken or the ledger cannot be read */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, host, dataDir, clock, ids, renderer = RENDERER } = options
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const ledger = openLedger(dataDir)
  const files = openFiles(dataDir)
  const faults = scriptedFaults()
  const videos = openVideoJobs({
    ...{ dataDir, renderer, clock, ids },
    ...(options.clipLimits && { limits: options.clipLimits }),
  })
  const voices = createVoices(renderer)

  let url = ''
  const baseUrl = (platform: PlatformKey) => `${url}/${platform}`
  const all = [...STAND_INS, ...(options.standIns ?? [])]
  const standIns = new Map(all.map((standIn) => [standIn.platform, standIn]))
  const shared = { ledger, files, faults, clock, ids }
  const parts = new Map<string, Part>([
    ['_control', { addRoutes: (scope) => registerControl(scope, { ...shared, videos, standIns, baseUrl }) }],
    ['posts', { addRoutes: (scope) => registerPages(scope, shared) }],
    ['ai', { addRoutes: (scope) => registerAi(scope, { videos, voices, url: () => url }) }],
  ])
  for (const [platform, standIn] of standIns) {
    parts.set(platform, {
      rewriteUrl: standIn.rewriteUrl,
      addRoutes: (scope) => standIn.register(scope, { ...shared, baseUrl: () => baseUrl(platform) }),
    })
  }
  const apps = onDemand(parts)
  const app = Fastify({
    forceCloseConnections: true,
    serverFactory: (handler) =>
      createServer((request, response) => {
        const part = apps.of(request.url ?? '/')
        if (part) void part.then(({ routing }) => routing(request, response))
        else handler(request, response)
      }),
  })
  app.addHook('preClose', () => apps.close())
  void app.register((scope) => registerSamples(scope, () => url))
  app.get('/', (_request, reply) => reply.type('text/plain; charset=utf-8').send(welcomePage([...standIns.keys()])))
  app.setNotFoundHandler(notFound)

  const close = async (): Promise<void> => {
    voices.close()
    await app.close()
    await videos.close()
    ledger.close()
  }
  try {
    url = await app.listen({ port, host })
    await videos.resume()
  } catch (error) {
    await close()
    throw error
  }
  return { url, ledger, files, faults, close }
}

interface Part {
  readonly addRoutes: (app: FastifyInstance) => void
  readonly rewriteUrl?: StandIn['rewriteUrl']
}

/** Adds the routes of a part with its first request: adding all of them is most of what a start would cost. */
function onDemand(parts: ReadonlyMap<string, Part>) {
  const open = async (prefix: string, { addRoutes, rewriteUrl = (path) => path }: Part) => {
    const app = Fastify({ rewriteUrl: ({ url = '/' }) => rewriteUrl(url) })
    void app.register(async (scope) => addRoutes(scope), { prefix })
    app.setNotFoundHandler(notFound)
    await app.ready()
    return { routing: app.routing, close: () => app.close() }
  }
  const apps = new Map<string, ReturnType<typeof open>>()
  return {
    /** The app for this path, `/x/2/tweets`, if it belongs to a part. */
    of(path: string) {
      const name = /^\/(\w+)/.exec(path)?.[1] ?? ''
      const part = parts.get(name)
      if (!part) return undefined
      const app = apps.get(name) ?? open(`/${name}`, part)
      apps.set(name, app)
      return app
    },
    close: async (): Promise<void> => {
      await Promise.all([...apps.values()].map(async (app) => (await app).close()))
    },
  }
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .send(errorBody('not_found', `The sandbox has no route ${request.method} ${request.url}; see /`))
}
