import { collected, delimitedReader } from '../delimited.ts'
import type { Files } from '../files.ts'
import type { StandInRefusal } from '../stand-in-refusal.ts'
import { googleRefusal } from './refusal.ts'
import type { Progress } from './session.ts'

export interface Related {
  readonly metadata: unknown
  readonly type: string
  readonly content: Progress
}

/**
 * Reads metadata and a video or an image (RFC 2387), in bounded memory.
 *
 * @param sink gets the content
 * @throws StandInRefusal 400
 */
export async function readRelated(
  body: AsyncIterable<Buffer>,
  contentType: string,
  files: Files,
  sink?: (part: Buffer) => void,
): Promise<Related> {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const delimiter = `\r\n--${quoted ?? bare ?? ''}`
  const reader = delimitedReader(body)
  const upTo = async (marker: string, sink: (part: Buffer) => void): Promise<void> => {
    if (!(await reader.upTo(marker, sink))) throw malformed('the content is incomplete')
  }
  /** @returns the type of the part that begins here */
  const begun = async (): Promise<string> => {
    if ((await reader.take(2)) !== '\r\n') throw malformed('two parts are required')
    const head = collected()
    await upTo('\r\n\r\n', head.add)
    return /^content-type:(.*)$/im.exec(head.text())?.[1]?.trim() ?? ''
  }

  await upTo(delimiter, () => undefined)
  if (!/^application\/json\b/.test(await begun())) throw malformed('the first part must be JSON')
  const json = collected()
  await upTo(delimiter, json.add)
  const type = await begun()
  const content = { next: 0, hash: files.hash() }
  await upTo(delimiter, (part) => {
    content.next += part.length
    content.hash.update(part)
    sink?.(part)
  })
  if ((await reader.take(2)) !== '--') throw malformed('there are more than two parts')
  return { metadata: parsed(json.text()), type, content }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw googleRefusal(400, 'parseError', 'Parse Error')
  }
}

function malformed(why: string): StandInRefusal {
  return googleRefusal(400, 'badRequest', `Malformed multipart body: ${why}`)
}
