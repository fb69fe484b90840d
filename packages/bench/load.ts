import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { Child } from './child.ts'
import { postTo } from './post.ts'
import type { Measured } from './stats.ts'

export const CONNECTIONS = 50

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon')

const reportSchema = z.object({
  duration: z.number(),
  errors: z.number(),
  timeouts: z.number(),
  non2xx: z.number(),
  '2xx': z.number(),
  latency: z.object({ p50: z.number(), p99: z.number() }),
})

/**
 * Sends this many posts over 50 connections, each waiting for its response, from a separate process.
 *
 * @throws Error unless all were accepted
 */
export async function post({ url, key }: Child, amount: number): Promise<Measured> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...[
        AUTOCANNON,
        '--json',
        '--no-progress',
        '-L',
        '10',
        '--connections',
        String(CONNECTIONS),
        '--amount',
        String(amount),
      ],
      ...['--method', 'POST', '--body', JSON.stringify(postTo('acc_01JD0000000000000000000000'))],
      ...['--headers', 'content-type=application/json', '--headers', `authorization=Bearer ${key}`, url],
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  const report = reportSchema.parse(JSON.parse(stdout))
  const { errors, timeouts, non2xx, latency } = report
  if (report['2xx'] !== amount || errors + timeouts + non2xx > 0) {
    throw new Error(`of ${amount} posts ${report['2xx']} were accepted, ${non2xx} refused, ${errors} failed`)
  }
  return { perSecond: amount / report.duration, p50: latency.p50, p99: latency.p99 }
}
