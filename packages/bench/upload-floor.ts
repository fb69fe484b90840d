import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { given, runAsChild } from './child.ts'

/* The minimum that can receive a file: Node's server, which writes the body to a file. Nothing is checked or made durable. */

const server = createServer((request, response) => {
  void pipeline(request, createWriteStream(given('UPLOADED'))).then(() => response.writeHead(201).end())
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
await runAsChild({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, key: 'none' })
server.closeAllConnections()
server.close()
