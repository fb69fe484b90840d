import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoTime, type Clock } from '../../system/clock.ts'
import type { Ids } from '../../system/ids.ts'
import { SandboxRefusal } from '../refusal.ts'
import { renderClip, WORK_PREFIX } from './render-clip.ts'
import { ProgramFailure } from './run-program.ts'
import { renderTools } from './tools.ts'
import { createTurns } from './turns.ts'
import type { VideoJob, VideoRequest } from './video-entry.ts'
import { openVideoStore } from './video-store.ts'
import { wishIn } from './wishes.ts'

export interface VideoJobs {
  /** Renders what was left undone at the end of the last sandbox on this folder. To be called when no other one runs. */
  resume(): Promise<void>
  /**
   * The job of this key, begun unless there is one. From then on it outlives a kill of the process.
   *
   * @throws SandboxRefusal 503 where nothing can be rendered, 409 for the key of another request
   */
  begin(request: VideoRequest): Promise<{ readonly job: VideoJob; readonly isNew: boolean }>
  find(id: string): VideoJob | undefined
  /** In the order they were begun. */
  list(): readonly VideoJob[]
  /** Where the clip of a job lies that is done. */
  fileOf(id: string): string
  /** Ends what is being rendered; it is rendered anew after the next start. */
  close(): Promise<void>
}

export interface VideoJobsOptions {
  /** An existing folder, for the file `videos.ndjson` and the folder `videos`. Without one nothing outlives the close. */
  readonly dataDir: string | undefined
  /** The folder of the package that renders. */
  readonly renderer: string
  readonly clock: Clock
  readonly ids: Ids
}

const MOST_AT_ONCE = 2

/** @throws when the file can't be opened, or a line before the last one is none of it */
export function openVideoJobs({ dataDir, renderer, clock, ids }: VideoJobsOptions): VideoJobs {
  const home = dataDir ?? join(tmpdir(), `fanfare-sandbox-${ids.token()}`)
  const folder = join(home, 'videos')
  const fileOf = (id: string) => join(folder, `${id}.mp4`)
  const store = openVideoStore(dataDir)
  const left = { jobs: store.list(), work: workIn(folder) }

  const closing = new AbortController()
  const { signal } = closing
  const inTurn = createTurns(MOST_AT_ONCE)
  const running = new Set<Promise<void>>()
  const render = async ({ id, prompt, aspectRatio }: VideoJob): Promise<void> => {
    if (signal.aborted) return
    try {
      if (wishIn(prompt, 'video') === 'fail') throw new ProgramFailure('the prompt wishes it')
      const onProgress = (pct: number) => store.saveProgress(id, pct)
      const tools = await renderTools(renderer, signal)
      await renderClip({ prompt, aspectRatio, file: fileOf(id), onProgress }, tools, signal)
      store.save({ kind: 'done', id })
    } catch (error) {
      if (signal.aborted) return
      store.save({ kind: 'failed', id, error: `The clip was not rendered: ${reasonOf(error)}` })
    }
  }
  const start = (job: VideoJob): void => {
    if (wishIn(job.prompt, 'video') === 'stuck') return
    // It fails when what came of it can't be kept: it is rendered anew after the next start.
    const work = inTurn(() => render(job)).catch(() => undefined)
    running.add(work)
    void work.then(() => running.delete(work))
  }

  return {
    resume: async () => {
      await Promise.all(left.work.map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })))
      for (const job of left.jobs) {
        const isLost = job.status === 'done' && !existsSync(fileOf(job.id))
        if (isLost) store.save({ kind: 'lost', id: job.id })
        if (isLost || job.status === 'rendering') start(job)
      }
    },
    begin: async (request) => {
      await renderTools(renderer, signal)
      const known = store.findByKey(request.key)
      if (known && (known.prompt !== request.prompt || known.aspectRatio !== request.aspectRatio)) {
        throw new SandboxRefusal(409, 'key_reused', 'key: another video was asked for by it')
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
    fileOf,
    close: async () => {
      closing.abort()
      await Promise.all(running)
      store.close()
      if (dataDir === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}

/** The folders of what a kill has left half done. */
function workIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.startsWith(WORK_PREFIX))
  return names.map((name) => join(folder, name))
}

/** Told to users, so without the paths that the system's own errors name. */
function reasonOf(error: unknown): string {
  if (error instanceof ProgramFailure || error instanceof SandboxRefusal) return error.message
  return error instanceof Error && 'code' in error ? String(error.code) : 'the sandbox failed'
}
