import { createServer, type IncomingMessage } from 'node:http'
import { verify } from './verify.ts'

/** During a rotation: the new and the previous secret, separated by a comma. */
const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(',')
const port = Number(process.env['PORT'] ?? 8080)
const MOST_BYTES = 1_000_000
/** In production: a unique column in your database, written before you respond. */
const seen = new Set<string>()

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  )
})

verify(secrets, {}, Buffer.of()) // Throws if there is no secret: better now than at the first delivery.
server.listen(port, '127.0.0.1', () => say('listening on', server.address()))

async function receive(request: IncomingMessage): Promise<number> {
  if (!(Number(request.headers['content-length']) <= MOST_BYTES)) return 413
  const rawBody = Buffer.concat(await request.toArray())
  if (!verify(secrets, request.headers, rawBody)) return 401
  const id = String(request.headers['webhook-id'])
  if (!seen.has(id)) setImmediate(work, rawBody)
  seen.add(id)
  return 204
}

/** Runs after the response, so that the sender never waits for it. */
function work(rawBody: Buffer): void {
  say('received', JSON.parse(rawBody.toString()))
}

function say(what: string, value: unknown): void {
  process.stdout.write(`${what} ${JSON.stringify(value)}\n`)
}
