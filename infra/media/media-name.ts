import { createHmac, hkdfSync } from 'node:crypto'

const MIME_TYPES = { mp4: 'video/mp4', wav: 'audio/wav', mp3: 'audio/mpeg', m4a: 'audio/mp4' } as const

type MediaExtension = keyof typeof MIME_TYPES

const NAME = /^[0-9a-v]{32}\.(?<extension>mp4|wav|mp3|m4a)$/
/** 160 bits, which is 32 characters of base32; in lower case, because not every file system is case-sensitive. */
const NAME_BYTES = 20
const NAME_CHARACTERS = 32

/**
 * The name of a file in the media store. It is deterministic, so that a retry after a crash replaces the earlier file, and cannot
 * be guessed without the secret, because anyone with the name may read the file.
 *
 * @param secret the derivation secret, which outlives the master key
 */
export function mediaName(secret: Buffer, parts: readonly (string | number)[], extension: MediaExtension): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'media names', 32))
  const mac = createHmac('sha256', key).update(JSON.stringify(parts)).digest().subarray(0, NAME_BYTES)
  const text = BigInt(`0x${mac.toString('hex')}`).toString(32)
  return `${text.padStart(NAME_CHARACTERS, '0')}.${extension}`
}

export function isMediaName(text: string): boolean {
  return NAME.test(text)
}

/** @throws Error if it is not a media name */
export function mimeTypeOf(name: string): string {
  const extension = NAME.exec(name)?.groups?.['extension']
  const known = Object.entries(MIME_TYPES).find(([ending]) => ending === extension)
  if (!known) throw new Error('not the name of a file in the media store')
  return known[1]
}
