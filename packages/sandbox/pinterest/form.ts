import { gauge, type Measured } from '../measure.ts'

export interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly file: Measured
}

/**
 * Reads a form (RFC 7578) with one file, in bounded memory.
 *
 * @param tailBytes how much of the file's end to keep
 * @returns undefined when it is not such a form, or something follows the file
 */
export async function readForm(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  tailBytes: number,
): Promise<Form | undefined> {
  const delimiter = `\r\n--${boundary}`
  const reader = readerOf(body)
  const fields: Record<string, string> = {}
  if (!(await reader.upTo(delimiter, () => undefined))) return undefined
  for (;;) {
    if ((await reader.take(2)) !== '\r\n') return undefined
    const head = collected()
    if (!(await reader.upTo('\r\n\r\n', head.add))) return undefined
    const name = /^content-disposition: form-data; name="([^"]*)"/im.exec(head.text())?.[1]
    if (name === undefined) return undefined
    if (name !== 'file') {
      const value = collected()
      if (!(await reader.upTo(delimiter, value.add))) return undefined
      fields[name] = value.text()
      continue
    }
    const file = gauge(tailBytes)
    if (!(await reader.upTo(delimiter, file.add)) || (await reader.take(2)) !== '--') return undefined
    return { fields, file: file.result() }
  }
}

function readerOf(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]()
  // The first delimiter is not preceded by a line break.
  let buffer = Buffer.from('\r\n')
  const more = async (): Promise<boolean> => {
    const next = await chunks.next()
    if (next.done) return false
    buffer = Buffer.concat([buffer, next.value])
    return true
  }
  return {
    upTo: async (marker: string, sink: (part: Buffer) => void): Promise<boolean> => {
      for (;;) {
        const at = buffer.indexOf(marker)
        const sure = at === -1 ? Math.max(0, buffer.length - marker.length + 1) : at
        sink(buffer.subarray(0, sure))
        buffer = buffer.subarray(at === -1 ? sure : at + marker.length)
        if (at !== -1) return true
        if (!(await more())) return false
      }
    },
    take: async (length: number): Promise<string> => {
      while (buffer.length < length && (await more()));
      const taken = buffer.toString('latin1', 0, length)
      buffer = buffer.subarray(length)
      return taken
    },
  }
}

function collected() {
  const parts: Buffer[] = []
  return { add: (part: Buffer) => void parts.push(part), text: () => Buffer.concat(parts).toString() }
}
