import type { ByteSource } from './byte-source.ts'
import type { MediaFacts } from './media.ts'
import { pdfPages } from './pdf-pages.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'

type DocumentFacts = Pick<MediaFacts, 'mimeType' | 'pages'>

/** By the type found at the start of a file, which of an Office file may be that of its container. */
const FORMATS: Readonly<Record<string, (source: ByteSource) => Promise<DocumentFacts | 'damaged' | undefined>>> = {
  'application/pdf': async (source) => {
    const pages = await pdfPages(source)
    if (pages === 'damaged') return pages
    return { mimeType: 'application/pdf', ...(pages !== 'unknown' && { pages }) }
  },
  'application/zip': zippedDocument,
  [DOCX]: async (source) => (await zippedDocument(source)) ?? 'damaged',
  [PPTX]: async (source) => (await zippedDocument(source)) ?? 'damaged',
  'application/x-cfb': binaryDocument,
}

/**
 * Facts of a document that people read page by page.
 *
 * @param found the MIME type that the start of the file has
 * @returns undefined if it is none, `damaged` if its end is missing
 */
export async function documentFacts(source: ByteSource, found: string): Promise<DocumentFacts | 'damaged' | undefined> {
  return FORMATS[found]?.(source)
}

/** The end of a ZIP archive, with the longest comment (APPNOTE.TXT §4.3.16). */
const ARCHIVE_END_BYTES = 22 + 65_535
const MOST_NAMES_BYTES = 1_000_000
const ENTRY_BYTES = 46

/** A Word or PowerPoint file without macros is an archive with a folder of that name (ISO/IEC 29500-2). */
async function zippedDocument(source: ByteSource): Promise<DocumentFacts | undefined> {
  const names = await namesIn(source)
  if (!names.includes('[Content_Types].xml') || names.some((name) => name.endsWith('/vbaProject.bin'))) return undefined
  if (names.some((name) => name.startsWith('word/'))) return { mimeType: DOCX }
  return names.some((name) => name.startsWith('ppt/')) ? { mimeType: PPTX } : undefined
}

/** None if the directory of an archive, which is at its end, is missing. */
async function namesIn(source: ByteSource): Promise<readonly string[]> {
  const end = await source.read(Math.max(0, source.size - ARCHIVE_END_BYTES), ARCHIVE_END_BYTES)
  const at = end.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (at < 0 || at + 22 > end.length) return []
  const directory = await source.read(end.readUInt32LE(at + 16), Math.min(end.readUInt32LE(at + 12), MOST_NAMES_BYTES))
  const names: string[] = []
  for (let entry = 0; entry + ENTRY_BYTES <= directory.length;) {
    if (directory.toString('latin1', entry, entry + 4) !== 'PK\x01\x02') break
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(entry + field))
    names.push(directory.toString('latin1', entry + ENTRY_BYTES, entry + ENTRY_BYTES + (name ?? 0)))
    entry += ENTRY_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return names
}

/** Far more than the few sectors that name the parts of a file (MS-CFB §2.6). */
const DIRECTORY_BYTES = 65_536

/** A file of Word or PowerPoint up to 2003 has a stream of this name. */
async function binaryDocument(source: ByteSource): Promise<DocumentFacts | undefined> {
  const header = await source.read(0, 512)
  if (header.length < 512) return undefined
  const sector = 2 ** Math.min(header.readUInt16LE(30), 16)
  const directory = await source.read((header.readUInt32LE(48) + 1) * sector, DIRECTORY_BYTES)
  if (directory.includes(Buffer.from('WordDocument\0', 'utf16le'))) return { mimeType: 'application/msword' }
  const isSlides = directory.includes(Buffer.from('PowerPoint Document\0', 'utf16le'))
  return isSlides ? { mimeType: 'application/vnd.ms-powerpoint' } : undefined
}
