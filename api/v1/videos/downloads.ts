import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../../../infra/runtime/clock.ts'

export interface Downloads {
  /** @returns a signal that aborts when the client disconnects, or when a stopping server can wait no longer */
  begin(reply: FastifyReply): AbortSignal
}

/** How long (ms) a stopping server waits for downloads; clients resume them with a range request. */
const PATIENCE_MS = 5_000

/** Tracks downloads, which take as long as their client likes: a stopping server cannot wait for them. */
export function downloads(app: FastifyInstance, clock: Clock): Downloads {
  const open = new Set<AbortController>()
  const closed = new AbortController()
  app.addHook('preClose', async () => {
    void clock.sleep(PATIENCE_MS, closed.signal).then(() => open.forEach((download) => download.abort()))
  })
  app.addHook('onClose', async () => closed.abort())
  return {
    begin: ({ raw }) => {
      const download = new AbortController()
      open.add(download)
      raw.once('close', () => {
        open.delete(download)
        download.abort()
      })
      return download.signal
    },
  }
}
