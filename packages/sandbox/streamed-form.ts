import { collected, delimitedReader } from './delimited.ts'
import type { FileHash } from './files.ts'
import { gauge, type Measured } from './measure.ts'

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
  hash: FileHash,
  tailBytes: number,
): Promise<Form | undefined> {
  const delimiter = `\r\n--${boundary}`
  const reader = delimitedReader(body)
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
    const file = gauge(hash, tailBytes)
    if (!(await reader.upTo(delimiter, file.add)) || (await reader.take(2)) !== '--') return undefined
    return { fields, file: file.result() }
  }
}
