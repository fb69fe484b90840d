import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface VideoScript {
  /** How many answers tell of a job still running, before the one that ends it. Default 2. */
  readonly pending?: number
  /** Of the failure that the job ends in. Default: none. */
  readonly failureCode?: string
  /** Whether the status is wrapped in `jobStatus`, as the lexicon says, or bare, as the live service answers. */
  readonly wrapped?: boolean
  /** Uploads are refused so. */
  readonly refusal?: { readonly status: number; readonly error: string }
  /** The next polls are answered with 502. */
  readonly failingPolls?: number
}

export interface VideoUpload {
  readonly did: string
  readonly name: string
  readonly bytes: number
  /** The claims of the token it was sent with. */
  readonly claims: Record<string, unknown>
}

export interface FakeVideoService {
  readonly url: string
  readonly uploads: readonly VideoUpload[]
  polls(): number
}

/**
 * Bluesky's video service in small: it takes a video, and when it is done stores it at the account's server with the
 * token it was given, as the real one does. It "transcodes" by leaving the bytes as they are.
 *
 * @param pdsUrl the server of accounts
 */
export async function fakeVideoService(
  t: Pick<Test, 'teardown'>,
  pdsUrl: string,
  { pending = 2, failureCode, wrapped = false, failingPolls = 0, refusal }: VideoScript = {},
): Promise<FakeVideoService> {
  const uploads: VideoUpload[] = []
  const done = new Map<string, unknown>()
  const jobs = new Map<string, { content: Buffer; token: string; name: string; pending: number }>()
  let polls = 0
  let toFail = failingPolls

  const upload = async (request: IncomingMessage, query: URLSearchParams): Promise<[number, object]> => {
    const content = await bodyOf(request)
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
    const name = query.get('name') ?? ''
    uploads.push({ did: query.get('did') ?? '', name, bytes: content.length, claims })
    if (refusal) return [refusal.status, { jobStatus: { did: '', error: refusal.error, jobId: '', state: '' } }]
    const blob = done.get(name)
    if (blob)
      return [
        409,
        { jobId: 'done', did: query.get('did'), state: 'JOB_STATE_COMPLETED', error: 'already_exists', blob },
      ]
    const jobId = `job-${jobs.size + 1}`
    jobs.set(jobId, { content, token, name, pending })
    return [200, { jobId, did: query.get('did'), state: 'JOB_STATE_CREATED' }]
  }

  const poll = async (jobId: string): Promise<[number, object]> => {
    polls += 1
    if (toFail > 0) {
      toFail -= 1
      return [502, { error: 'UpstreamFailure' }]
    }
    const job = jobs.get(jobId)
    if (!job) return [400, { error: 'InvalidRequest', message: 'no such job' }]
    if (job.pending > 0) {
      job.pending -= 1
      return [200, { jobId, state: 'JOB_STATE_ENCODING', progress: 50 }]
    }
    if (failureCode !== undefined) return [200, { jobId, state: 'JOB_STATE_FAILED', failureCode, message: 'it failed' }]
    const stored = await fetch(`${pdsUrl}/xrpc/com.atproto.repo.uploadBlob`, {
      method: 'POST',
      headers: { authorization: `Bearer ${job.token}`, 'content-type': 'video/mp4' },
      body: new Uint8Array(job.content),
    })
    const answer = (await stored.json()) as { blob?: unknown }
    if (!answer.blob)
      return [
        200,
        { jobId, state: 'JOB_STATE_FAILED', failureCode: 'pds_upload_failure', message: JSON.stringify(answer) },
      ]
    done.set(job.name, answer.blob)
    return [200, { jobId, state: 'JOB_STATE_COMPLETED', blob: answer.blob }]
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service')
    const work = pathname.endsWith('uploadVideo')
      ? upload(request, searchParams)
      : poll(searchParams.get('jobId') ?? '')
    void work.then(([status, body]) => send(response, status, status === 200 && wrapped ? { jobStatus: body } : body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, uploads, polls: () => polls }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
