import { Readable } from 'node:stream'
import type { RestCall } from './rest.ts'

/** The file of a form. Sent last, as some servers require. */
export interface FilePart {
  readonly name: string
  readonly fileName: string
  readonly type: string
  readonly bytes: number
  readonly open: () => Readable
}

/**
 * A multipart/form-data body (RFC 7578) of known length, with the file streamed.
 *
 * @param fields in this order; names and values must not contain line breaks
 * @param file absent for fields alone
 */
export function multipart(fields: Readonly<Record<string, string>>, file?: FilePart): NonNullable<RestCall['content']> {
  const boundary = `fanfare-${crypto.randomUUID()}`
  const type = `multipart/form-data; boundary=${boundary}`
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  if (!file) {
    const body = Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
    return { type, bytes: body.length, open: () => Readable.from([body]) }
  }
  const disposition = `Content-Disposition: form-data; name="${file.name}"; filename="${file.fileName}"`
  const head = Buffer.from(`${parts.join('')}--${boundary}\r\n${disposition}\r\nContent-Type: ${file.type}\r\n\r\n`)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    type,
    bytes: head.length + file.bytes + tail.length,
    open: () => Readable.from(framed(head, file.open(), tail)),
  }
}

async function* framed(head: Buffer, file: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head
  for await (const chunk of file) yield chunk as Buffer
  yield tail
}
