import { join } from 'node:path'
import { openJournal } from '../journal.ts'
import { videoEntry, type VideoEntry, type VideoJob } from './video-entry.ts'

/** All jobs. A saved entry is on disk before the call returns, if the store has a file, so it survives a crash. */
export interface VideoStore {
  save(entry: VideoEntry): void
  /** Not persisted. */
  saveProgress(id: string, progressPct: number): void
  find(id: string): VideoJob | undefined
  findByKey(key: string): VideoJob | undefined
  /** Oldest first. */
  list(): readonly VideoJob[]
  close(): void
}

/**
 * @param dataDir an existing folder; the store is its file `videos.ndjson`. Without one it is in memory only.
 * @throws when the file cannot be opened, or any line but the last is invalid
 */
export function openVideoStore(dataDir: string | undefined): VideoStore {
  const jobs = new Map<string, VideoJob>()
  const idsByKey = new Map<string, string>()

  const change = (id: string, to: Pick<VideoJob, 'status' | 'progressPct' | 'error'>): void => {
    const job = jobs.get(id)
    if (!job) throw new Error(`no job ${id}`)
    jobs.set(id, { ...job, ...to })
  }
  const apply = (entry: VideoEntry): void => {
    switch (entry.kind) {
      case 'begun':
        idsByKey.set(entry.job.key, entry.job.id)
        return void jobs.set(entry.job.id, { ...entry.job, status: 'rendering', progressPct: 0 })
      case 'done':
        return change(entry.id, { status: 'done', progressPct: 100 })
      case 'lost':
        return change(entry.id, { status: 'rendering', progressPct: 0 })
      case 'failed':
        return change(entry.id, { status: 'failed', progressPct: 0, error: entry.error })
    }
  }
  const journal =
    dataDir === undefined
      ? undefined
      : openJournal(join(dataDir, 'videos.ndjson'), (line) => apply(videoEntry.parse(JSON.parse(line))))

  return {
    save: (entry) => {
      journal?.append(JSON.stringify(entry))
      apply(entry)
    },
    saveProgress: (id, progressPct) => change(id, { status: 'rendering', progressPct }),
    find: (id) => jobs.get(id),
    findByKey: (key) => jobs.get(idsByKey.get(key) ?? ''),
    list: () => [...jobs.values()],
    close: () => journal?.close(),
  }
}
