import type { Test } from 'tap'
import { bodyOf, httpServer } from './outbound-servers.ts'

/** A service that answers for Slack and the others, and what it got. */
export async function chatServer(t: Test) {
  const got: { readonly path: string; readonly text: string }[] = []
  const next: { status: number; headers?: Record<string, string>; body?: string }[] = []
  const server = await httpServer(t, (request, response) => {
    void bodyOf(request).then((text) => {
      const { status, headers, body } = next.shift() ?? { status: 200 }
      if (status < 300) got.push({ path: request.url ?? '', text })
      response.writeHead(status, headers).end(body ?? 'ok')
    })
  })
  return { ...server, got, next }
}
