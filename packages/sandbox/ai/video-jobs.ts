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
  /** Where the clip of a job lies that is done. It stays there for a while from then on. */
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
  /** Of all clips together. */
  readonly limits?: ClipLimits
}

const MOST_AT_ONCE = 2
const REMOVED = 'The clip was removed to make room: the sandbox keeps none for long.'

/** @throws when the file can't be opened, or a line before the last one is none of it */
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
    // Before their files go, so that none is served, or rendered again, that is on its way out.
    for (const id of old) store.save({ kind: 'failed', id, error: REMOVED })
    for (const id of old) usedAt.delete(id)
    await Promise.all(old.map((id) => rm(fileOf(id), { force: true })))
  }
  const render = async ({ id, prompt, aspectRatio }: VideoJob): Promise<void> => {
    if (signal.aborted) return
    try {
      if (wishIn(prompt, 'video') === 'fail') throw new ProgramFailure('the prompt wishes it')
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
    if (wishIn(job.prompt, 'video') === 'stuck') return
    // It fails when what came of it can't be kept: it is rendered anew after the next start.
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
