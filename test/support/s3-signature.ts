import { createHash, createHmac } from 'node:crypto'

export interface Authorization {
  readonly accessKeyId: string
  /** `20261122` */
  readonly date: string
  readonly region: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

export interface SignedRequest {
  readonly method: string
  /** As sent, without a query: none of the service's requests has one. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/** The `Authorization` header of AWS Signature Version 4. */
export function authorizationIn(header: string | undefined): Authorization | undefined {
  const [, accessKeyId, date, region, names, signature] = FORM.exec(header ?? '') ?? []
  if (!accessKeyId || !date || !region || !names || !signature) return undefined
  return { accessKeyId, date, region, signedHeaders: names.split(';'), signature }
}

/** AWS Signature Version 4, by its documentation and apart from the library that signs. */
export function signatureOf({ method, path, headers }: SignedRequest, by: Authorization, secret: string): string {
  const lines = by.signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}\n`)
  const payload = headers['x-amz-content-sha256'] ?? ''
  const canonical = [method, path, '', lines.join(''), by.signedHeaders.join(';'), payload].join('\n')
  const scope = `${by.date}/${by.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [by.date, by.region, 's3', 'aws4_request'].reduce<Buffer>(
    (above, part) => hmac(above, part),
    Buffer.from(`AWS4${secret}`),
  )
  return hmac(key, toSign).toString('hex')
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
