import { readdir } from 'node:fs/promises'
import fastify from 'fastify'
import type { Test } from 'tap'
import { mediaRoutes } from '../../api/ops/media.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { movableClock } from './movable-clock.ts'
import { postJson } from './sandbox.ts'
import { givenWorld, type World } from './world.ts'

const logger = createLogger('silent')

/** A service that platforms can reach, whose domain is verified at TikTok or not. */
export async function givenReachable(
  t: Test,
  {
    verified = (url) => [`${url}/media/`],
    ...options
  }: { readonly verified?: (url: string) => readonly string[]; readonly convertsImages?: boolean } = {},
) {
  const clock = movableClock()
  const app = fastify()
  const made: { world?: World } = {}
  mediaRoutes(app, {
    store: { put: fail, delete: fail, find: async (name, signal) => made.world?.mediaStore.find(name, signal) },
    ...{ clock, logger },
  })
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof Refusal ? 404 : 500).send())
  const publicUrl = await app.listen()
  t.teardown(() => app.close())
  const world = await givenWorld(t, { clock, publicUrl, ...options })
  made.world = world
  const set = await postJson(world.http, `${world.sandbox.url}/_control/url-properties`, {
    platform: 'tiktok',
    verified: verified(publicUrl),
  })
  t.equal(set.status, 201)
  const accountId = await world.account('tiktok')
  const files = async () =>
    (await readdir(world.mediaDirectory, { recursive: true })).filter((name) => /\.(jpg|media|part)$/.test(name))
  return { world, publicUrl, accountId, files, foreign: `${world.sandbox.url}/media/sample.jpg` }
}

/** For what a test must not call. */
export async function fail(): Promise<never> {
  throw new Error('only read here')
}
