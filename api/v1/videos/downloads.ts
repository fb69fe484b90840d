import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../../../infra/runtime/clock.ts'

export interface Downloads {
  /** @returns what aborts when the client has left, or the server can wait no longer */
  begin(reply: FastifyReply): AbortSignal
}

/** How long (ms) a server that stops waits for what is on its way; clients go on from there by a range. */
const PATIENCE_MS = 5_000

/** Answers that may take as long as their reader likes, which no stop of the server can wait for. */
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
