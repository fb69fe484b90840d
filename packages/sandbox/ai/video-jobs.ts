import { existsSync, readdirSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoTime, type Clock } from '../../../infra/runtime/clock.ts'
import type { Ids } from '../../../infra/runtime/ids.ts'
import { SandboxRefusal } from '../refusal.ts'
import { CLIP_LIMITS, clipsToRemove, type ClipLimits } from './clip-limits.ts'
import { renderClip, WORK_PREFIX } from './render-clip.ts'
import { ProgramFailure } from './run-program.ts'
import { renderTools } from './tools.ts'
import { createTurns } from './turns.ts'
import type { VideoJob, VideoRequest } from './video-entry.ts'
import { openVideoStore } from './video-store.ts'
import { directiveIn } from './directives.ts'

export interface VideoJobs {
  /** Renders what the last sandbox on this folder left unfinished. Call only when no other sandbox uses the folder. */
  resume(): Promise<void>
  /**
   * Finds or starts the job for this key. Once started, the job survives a crash of the process.
   *
   * @throws SandboxRefusal 503 when nothing can be rendered, 409 when another request used the key
   */
  begin(request: VideoRequest): Promise<{ readonly job: VideoJob; readonly isNew: boolean }>
  find(id: string): VideoJob | undefined
  /** Oldest first. */
  list(): readonly VideoJob[]
  /** Path of a finished job's clip. The clip is kept for a while from now on. */
  fileOf(id: string): string
  /** Aborts running renderings; they start over after the next start. */
  close(): Promise<void>
}

export interface VideoJobsOptions {
  /** An existing folder, for the file `videos.ndjson` and the folder `videos`. Without one, nothing survives `close`. */
  readonly dataDir: string | undefined
  /** The folder of the rendering package. */
  readonly renderer: string
  readonly clock: Clock
  readonly ids: Ids
  /** Totals over all clips. */
  readonly limits?: ClipLimits
}

const MOST_AT_ONCE = 2
const REMOVED = 'The clip was removed to make room: the sandbox keeps clips only for a limited time.'

/** @throws when the file cannot be opened, or any line but the last is invalid */
export function openVideoJobs({ dataDir, renderer, clock, ids, limits = CLIP_LIMITS }: VideoJobsOptions): VideoJobs {
  const home = dataDir ?? join(tmpdir(), `fanfare-sandbox-${ids.token()}`)
  const folder = join(home, 'videos')
  const fileOf = (id: string) => join(folder, `${id}.mp4`)
  const store = openVideoStore(dataDir)
  const left = { jobs: store.list(), work: workIn(folder) }

  const closing = new AbortController()
  const { signal } = closing
  const inTurn = createTurns(MOST_AT_ONCE)
  const running = new Set<Promise<void>>()
  const usedAt = new Map<string, number>()
  const removeOld = async (): Promise<void> => {
    const done = store.list().filter(({ status }) => status === 'done')
    const sizes = await Promise.all(done.map(({ id }) => stat(fileOf(id)).catch(() => undefined)))
    const clips = done.flatMap(({ id }, index) => {
      const file = sizes[index]
      return file ? [{ id, bytes: file.size, usedAt: usedAt.get(id) ?? file.mtimeMs }] : []
    })
    const old = clipsToRemove(clips, clock.now(), limits)
    // Before deleting the files, so that no clip is served or rendered again while it is being removed.
    for (const id of old) store.save({ kind: 'failed', id, error: REMOVED })
    for (const id of old) usedAt.delete(id)
    await Promise.all(old.map((id) => rm(fileOf(id), { force: true })))
  }
  const render = async ({ id, prompt, aspectRatio }: VideoJob): Promise<void> => {
    if (signal.aborted) return
    try {
      if (directiveIn(prompt, 'video') === 'fail') throw new ProgramFailure('the prompt asks for a failure')
      const onProgress = (pct: number) => store.saveProgress(id, pct)
      const tools = await renderTools(renderer, signal)
      await renderClip({ prompt, aspectRatio, file: fileOf(id), onProgress }, tools, signal)
      usedAt.set(id, clock.now())
      store.save({ kind: 'done', id })
    } catch (error) {
      if (signal.aborted) return
      store.save({ kind: 'failed', id, error: `The clip was not rendered: ${reasonOf(error)}` })
    }
  }
  const start = (job: VideoJob): void => {
    if (directiveIn(job.prompt, 'video') === 'stuck') return
    // Fails when the result cannot be stored; the clip is rendered again after the next start.
    const work = inTurn(() => render(job).then(removeOld)).catch(() => undefined)
    running.add(work)
    void work.then(() => running.delete(work))
  }

  return {
    resume: async () => {
      await Promise.all(left.work.map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })))
      await removeOld()
      const ended = left.jobs.filter(({ id }) => store.find(id)?.status === 'failed')
      await Promise.all(ended.map(({ id }) => rm(fileOf(id), { force: true })))
      for (const job of left.jobs.filter((job) => !ended.includes(job))) {
        const isLost = job.status === 'done' && !existsSync(fileOf(job.id))
        if (isLost) store.save({ kind: 'lost', id: job.id })
        if (isLost || job.status === 'rendering') start(job)
      }
    },
    begin: async (request) => {
      await renderTools(renderer, signal)
      const known = store.findByKey(request.key)
      if (known && (known.prompt !== request.prompt || known.aspectRatio !== request.aspectRatio)) {
        throw new SandboxRefusal(409, 'key_reused', 'key: it was already used for another video request')
      }
      if (known) return { job: known, isNew: false }
      const begun = { ...request, id: ids.token(), createdAt: isoTime(clock.now()) }
      store.save({ kind: 'begun', job: begun })
      const job: VideoJob = { ...begun, status: 'rendering', progressPct: 0 }
      start(job)
      return { job, isNew: true }
    },
    find: (id) => store.find(id),
    list: () => store.list(),
    fileOf: (id) => {
      usedAt.set(id, clock.now())
      return fileOf(id)
    },
    close: async () => {
      closing.abort()
      await Promise.all(running)
      store.close()
      if (dataDir === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}

/** Leftover work folders of a crashed process. */
function workIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.startsWith(WORK_PREFIX))
  return names.map((name) => join(folder, name))
}

/** Shown to users, so without the paths that system errors contain. */
function reasonOf(error: unknown): string {
  if (error instanceof ProgramFailure || error instanceof SandboxRefusal) return error.message
  return error instanceof Error && 'code' in error ? String(error.code) : 'the sandbox failed'
}
