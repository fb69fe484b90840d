import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { addKey } from '../../app/cli/keys.ts'
import { addWorkspace } from '../../app/cli/workspaces.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import { startChild } from './child.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'
import { startAtWork } from './service.ts'

const MB = 200
const CHUNK = Buffer.alloc(1_000_000, 'video')

/** One whole file over one connection, until it is stored, against a server that only writes it to the same disk. */
export async function benchUploads(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  try {
    const service = await startAtWork(server, 'uploads', { SANDBOX: 'off', PORT: '0' }, './whole-service.js')
    closing.push(service.stop)
    const floor = await startChild('./upload-floor.js', { UPLOADED: join(server.folder, 'uploaded') })
    closing.push(floor.stop)
    const { id: workspace } = await addWorkspace(service.core, 'uploads')
    const { key } = await addKey(service.core, { workspace, scopes: 'all' })
    const start = await beginning()
    const sizeBytes = start.length + MB * CHUNK.length
    const begin = async () => {
      const body = JSON.stringify({ fileName: 'clip.mp4', contentType: 'video/mp4', sizeBytes })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${service.url}/uploads`, { method: 'POST', headers, body })
      return z.object({ uploadUrl: z.string() }).parse(await response.json()).uploadUrl
    }
    const contender = (name: string, urlOf: () => Promise<string>) => ({
      name,
      measure: async () => ({ perSecond: await sent(await urlOf(), start) }),
    })
    const ours = contender('Fanfare', begin)
    const theirs = contender('a stream to a file', async () => floor.url)
    const [a = [], b = []] = await takeTurns([ours, theirs], options)
    const mine = { name: ours.name, rounds: a }
    return [compare(`PUT of ${MB} MB`, 'MB/s', mine, { name: theirs.name, rounds: b }, { ratio: 0.8 })]
  } finally {
    for (const close of closing) await close()
  }
}

/** A video, and the head of a box that a player skips: what follows it may be anything. */
async function beginning(): Promise<Buffer> {
  const video = await readFile(join(packageRoot(), 'packages/sandbox/media/sample.mp4'))
  const box = Buffer.from('\0\0\0\0free', 'latin1')
  box.writeUInt32BE(box.length + MB * CHUNK.length)
  return Buffer.concat([video, box])
}

/** @returns MB per second, until the response @throws Error unless the file was taken */
async function sent(url: string, start: Buffer): Promise<number> {
  const began = performance.now()
  const length = start.length + MB * CHUNK.length
  const put = request(url, { method: 'PUT', agent: false, headers: { 'content-length': length } })
  const answer = new Promise<number>((resolve, reject) => {
    put.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
  })
  await pipeline(Readable.from([start, ...Array.from({ length: MB }, () => CHUNK)]), put)
  const status = await answer
  if (status !== 201) throw new Error(`an upload was answered with ${status}`)
  return length / 1e3 / (performance.now() - began)
}
