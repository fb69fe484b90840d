import { TextDecoder } from 'node:util'

/** Long enough for any XML declaration. */
const DECLARATION_BYTES = 200
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/

/** Bytes that are decoded at a time: a document's whole text would take twice what the document takes. */
const PIECE_BYTES = 16 * 1024

/**
 * A document's text, piece by piece. Its encoding is told by the byte order mark, else the content type, else the XML declaration, else
 * it is UTF-8 (RFC 7303 §3). What the encoding can't read becomes U+FFFD.
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

/** Node 20 reads it as the ISO-8859-1 that it is not. */
function windows1252(control: string): string {
  return WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control
}

/** @param bytes of the document's beginning */
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

/** UTF-16 without a mark: `<` and its zero. */
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

/** Whoever says UTF-16 over text without a single zero byte is mistaken. */
function isPlausible({ encoding }: TextDecoder, bytes: Uint8Array): boolean {
  return (
    !encoding.startsWith('utf-16') || markOf(bytes) !== undefined || bytes.subarray(0, DECLARATION_BYTES).includes(0)
  )
}
