import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { httpServer } from './outbound-servers.ts'

/** A browser's side of a subscription. */
export interface Browser {
  readonly privateKey: Buffer
  readonly publicKey: Buffer
  readonly auth: Buffer
}

export function newBrowser(): Browser {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  return { privateKey: pair.getPrivateKey(), publicKey, auth: randomBytes(16) }
}

/** As a browser gives its keys to a page. */
export function keysOf({ publicKey, auth }: Browser) {
  return { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') }
}

/** Decrypts a message as RFC 8291 says, from nothing but the keys of the browser: `aes128gcm` (RFC 8188) with one record. */
export function decrypted({ privateKey, publicKey, auth }: Browser, message: Buffer): string {
  const [salt, idLength] = [message.subarray(0, 16), message[20] ?? 0]
  const sender = message.subarray(21, 21 + idLength)
  const record = message.subarray(21 + idLength)
  if (record.length > message.readUInt32BE(16)) throw new Error('more than one record')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
  const key = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32))
  const derived = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${use}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('not the last record')
  return padded.subarray(0, end).toString()
}

/** The claims of a `vapid` authorization (RFC 8292), whose signature is right, and the key that it is by. */
export function vapidIn(authorization = ''): {
  readonly claims: Readonly<Record<string, unknown>>
  readonly key: string
} {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('the signature is wrong')
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), key }
}

interface Pushed {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: number
  readonly text: string
}

/** A push service on loopback, with one browser: it answers what is next, else 201, and keeps what it took. */
export async function pushService(t: Test) {
  const browser = newBrowser()
  const got: Pushed[] = []
  const next: { readonly status: number; readonly headers?: Record<string, string> }[] = []
  const server = await httpServer(t, (request, response) => {
    void bytesOf(request).then((body) => {
      const { status, headers } = next.shift() ?? { status: 201 }
      const text = decrypted(browser, body)
      if (status < 300) got.push({ path: request.url ?? '', headers: request.headers, bytes: body.length, text })
      response.writeHead(status, headers).end()
    })
  })
  return { ...server, browser, got, next }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
