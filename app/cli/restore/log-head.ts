import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { START, type EventLog } from '../../../event-log/event-log.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'

/*
 * How far the log went, kept in a file outside it: restoring the log from a backup does not change this file, so a restored log
 * is behind it.
 */

const NOTE_EVERY_MS = 5_000

const schema = z.object({ firstEvent: z.string(), position: z.string().regex(/^\d+$/) })

export interface LogHead {
  /** The id of the first event, which identifies the log. */
  readonly firstEvent: string
  readonly position: bigint
}

/** @returns undefined while the log is empty */
export async function headOf(log: Pick<EventLog, 'head' | 'subscribe'>): Promise<LogHead | undefined> {
  for await (const delivery of log.subscribe(START, { batchSize: 1 })) {
    const firstEvent = delivery.kind === 'events' ? delivery.events[0]?.id : undefined
    return firstEvent === undefined ? undefined : { firstEvent, position: await log.head() }
  }
  return undefined
}

/** @throws if the file exists but cannot be read: how far the log went is then unknown */
export async function notedHead(dataDir: string): Promise<LogHead | undefined> {
  const path = headFile(dataDir)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const { firstEvent, position } = schema.parse(JSON.parse(text))
    return { firstEvent, position: BigInt(position) }
  } catch {
    throw new Error(`${path} cannot be read. Delete it and start with fanfare serve --restored.`)
  }
}

export async function noteHead(dataDir: string, { firstEvent, position }: LogHead): Promise<void> {
  const path = headFile(dataDir)
  const draft = `${path}.${process.pid}`
  await writeFile(draft, JSON.stringify({ firstEvent, position: String(position) }), { mode: 0o600 })
  await rename(draft, path)
}

/** Whether `now` cannot be the log at `noted` plus later events. */
export function wentBack(noted: LogHead | undefined, now: LogHead | undefined): boolean {
  if (!noted) return false
  return noted.firstEvent !== now?.firstEvent || now.position < noted.position
}

/** Runs until the signal aborts. A log that goes back meanwhile is left for the next start to detect. */
export async function keepNoting(
  deps: {
    readonly log: Pick<EventLog, 'head' | 'subscribe'>
    readonly dataDir: string
    readonly clock: Clock
    readonly logger: Logger
  },
  signal: AbortSignal,
): Promise<void> {
  const { log, dataDir, clock, logger } = deps
  for (;;) {
    try {
      const noted = await notedHead(dataDir)
      const now = await headOf(log)
      if (now && !wentBack(noted, now) && now.position !== noted?.position) await noteHead(dataDir, now)
    } catch (error) {
      logger.warn({ err: error }, 'the position of the log could not be saved; trying again')
    }
    // Runs once more after the signal, to include the last writes.
    if (signal.aborted) return
    await clock.sleep(NOTE_EVERY_MS, signal)
  }
}

export function headFile(dataDir: string): string {
  return join(dataDir, 'log-head.json')
}
