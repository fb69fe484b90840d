import { request } from 'node:http'

const IDLE_MS = 30_000

/** Sends a POST to this machine. */
export function sendLocally(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method: 'POST', agent: false, timeout: IDLE_MS, headers: { ...headers, ...length } } as const
    const call = request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    })
    call.on('timeout', () => call.destroy(new Error('idle')))
    call.on('error', reject)
    call.end(body)
  })
}
