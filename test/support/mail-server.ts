import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

export interface MailServer {
  /** `smtp://…` */
  readonly url: string
  /** What arrived, as sent: headers and body. */
  readonly mails: string[]
  /** What it does with the next mail: a status, or `cut` once it has all of it, or before that. */
  next: (number | 'cut' | 'cut-early')[]
}

/** A real SMTP server. */
export async function mailServer(t: Pick<Test, 'teardown'>): Promise<MailServer> {
  const mails: string[] = []
  const next: MailServer['next'] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, session, done) => {
      if (next[0] !== 'cut-early') return done()
      next.shift()
      const { connection } = session as unknown as { connection?: { close(): void } }
      connection?.close()
      for (const each of (server as unknown as { connections: Set<{ close(): void }> }).connections) each.close()
      return undefined
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const what = next.shift()
        if (typeof what === 'number') return done(Object.assign(new Error('No.'), { responseCode: what }))
        // Folded lines are joined, and the text is decoded.
        mails.push(Buffer.concat(chunks).toString().replaceAll(/=\r\n/g, '').replaceAll('=3D', '='))
        if (what !== 'cut') return done()
        for (const each of (server as unknown as { connections: Set<{ close(): void }> }).connections) each.close()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, mails, next }
}
