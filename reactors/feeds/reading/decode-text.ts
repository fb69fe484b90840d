import { TextDecoder } from 'node:util'

/** Long enough for any XML declaration. */
const DECLARATION_BYTES = 200
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/

/** Bytes decoded at a time: the whole text would take twice the document's memory. */
const PIECE_BYTES = 16 * 1024

/**
 * Decodes a document piece by piece. The encoding comes from the byte order mark, else the content type, else the XML
 * declaration, else it is UTF-8 (RFC 7303 §3). Invalid bytes become U+FFFD.
 */
export function* decodedText(blocks: readonly Uint8Array[], contentType: string): Generator<string> {
  const decoder = decoderFor(blocks[0] ?? new Uint8Array(), contentType)
  const decoded = (bytes?: Uint8Array): string => {
    const text = decoder.decode(bytes, { stream: bytes !== undefined })
    return decoder.encoding === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, windows1252) : text
  }
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += PIECE_BYTES) yield decoded(block.subarray(at, at + PIECE_BYTES))
  }
  yield decoded()
}

/** Node 20 decodes windows-1252 as ISO-8859-1, which differs in these characters. */
function windows1252(control: string): string {
  return WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control
}

/** @param bytes the beginning of the document */
function decoderFor(bytes: Uint8Array, contentType: string): TextDecoder {
  const candidates = [markOf(bytes), charsetOf(contentType), patternOf(bytes), declaredIn(bytes)]
  for (const label of candidates) {
    const decoder = label === undefined ? undefined : decoderNamed(label)
    if (decoder && isPlausible(decoder, bytes)) return decoder
  }
  return new TextDecoder()
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** UTF-16 without a byte order mark: `<` and its zero byte. */
function patternOf([first, second]: Uint8Array): string | undefined {
  if (first === 0x3c && second === 0) return 'utf-16le'
  return first === 0 && second === 0x3c ? 'utf-16be' : undefined
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType.slice(0, 500))?.[1]
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  return DECLARATION.exec(start)?.[1]
}

function decoderNamed(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** Text without a single zero byte is not UTF-16, whatever it declares. */
function isPlausible({ encoding }: TextDecoder, bytes: Uint8Array): boolean {
  return (
    !encoding.startsWith('utf-16') || markOf(bytes) !== undefined || bytes.subarray(0, DECLARATION_BYTES).includes(0)
  )
}
