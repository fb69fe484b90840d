import { readdir } from 'node:fs/promises'
import type { Test } from 'tap'
import * as z from 'zod'
import { givenApi } from './api.ts'
import { movableClock } from './movable-clock.ts'
import { givenProcess } from './world.ts'

export const started = z.object({
  uploadId: z.string(),
  uploadUrl: z.string(),
  mediaUrl: z.string(),
  expiresAt: z.string(),
})
export type Started = z.infer<typeof started>

export async function givenUploads(t: Test, parts: Parameters<typeof givenApi>[1] = {}) {
  const clock = movableClock()
  const api = await givenApi(t, { clock, ...parts })
  const { world } = api
  const key = await api.key()
  const service = await givenProcess(world)
  const call = (method: string, path: string, body?: unknown, asKey = key) =>
    api.call({ method, path: `/v1${path}`, key: asKey, body })
  const start = async (content: Buffer, more: object = {}, asKey = key): Promise<Started> => {
    const body = { fileName: 'bread.jpg', contentType: 'image/jpeg', sizeBytes: content.length, ...more }
    const answer = await call('POST', '/uploads', body, asKey)
    if (answer.status !== 201) throw new Error(answer.text)
    return started.parse(answer.body)
  }
  const put = async (url: string, payload: Buffer | undefined, headers: Record<string, string> = {}, app = api.app) => {
    const path = new URL(url).pathname
    const answer = await app.inject({ method: 'PUT', url: path, headers, ...(payload && { payload }) })
    const { statusCode: status, payload: text } = answer
    return {
      status,
      text,
      range: answer.headers['range'],
      body: text === '' ? {} : answer.json<Record<string, unknown>>(),
    }
  }
  const upload = async (content: Buffer, more: object = {}, asKey = key) => {
    const begun = await start(content, more, asKey)
    const done = await put(begun.uploadUrl, content)
    if (done.status !== 201) throw new Error(done.text)
    return begun
  }
  return { api, world, clock, key, service, call, start, put, upload, files: () => filesIn(world.mediaDirectory) }
}

/** What is on the disk. */
export async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
