import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { Measured } from './stats.ts'

/** A benchmark process that serves HTTP until its standard input ends. */
export interface Child {
  readonly url: string
  /** The bearer token. */
  readonly key: string
  readonly pid: number
  stop(): Promise<void>
}

const readySchema = z.object({ url: z.string(), key: z.string() })

/** Starts a file of this folder; resolves once it has reported its URL (`runAsChild`). */
export async function startChild(file: string, environment: Readonly<Record<string, string>>): Promise<Child> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const line = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk)),
    ended.then(([code]): never => {
      throw new Error(`${file} exited with ${code} before it was ready`)
    }),
  ])
  return {
    ...readySchema.parse(JSON.parse(line)),
    pid: child.pid ?? NaN,
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}

/** The other side of `startChild`: serves until the parent stops it or exits. */
export async function runAsChild(ready: { readonly url: string; readonly key: string }): Promise<void> {
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  await once(process.stdin.resume(), 'end')
}

/** A benchmark process that does a round's work on request. */
export interface Worker {
  measure(): Promise<Measured>
  stop(): Promise<void>
}

const measuredSchema = z.object({
  perSecond: z.number(),
  p50: z.number().exactOptional(),
  p99: z.number().exactOptional(),
})

/** Starts a file of this folder that ends in `measureAsWorker`. */
export async function startWorker(file: string, environment: Readonly<Record<string, string>>): Promise<Worker> {
  const child = fork(new URL(file, import.meta.url), { env: { ...process.env, ...environment } })
  const ended = once(child, 'exit')
  const answer = () =>
    Promise.race([
      once(child, 'message').then(([message]) => message as unknown),
      ended.then(([code]): never => {
        throw new Error(`${file} exited with ${code}`)
      }),
    ])
  await answer()
  return {
    measure: async () => {
      child.send('measure')
      return measuredSchema.parse(await answer())
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The other side of `startWorker`: measures until the parent stops it or exits. */
export async function measureAsWorker(measure: () => Promise<Measured>): Promise<void> {
  process.on('message', () => void measure().then((measured) => process.send?.(measured)))
  process.send?.('ready')
  await once(process, 'disconnect')
}

/** A required setting passed by the parent. */
export function given(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}
