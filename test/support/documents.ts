import { crc32 } from 'node:zlib'

/** A PDF of so many empty pages, with a cross-reference table. */
export function pdf(pages: number, text = ''): Buffer {
  const kids = Array.from({ length: pages }, (_, page) => `${page + 3} 0 R`).join(' ')
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    ...Array.from({ length: pages }, () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>'),
    `(${text})`,
  ])
}

/** @param objects the first is the catalog */
function pdfOf(objects: readonly string[]): Buffer {
  let body = '%PDF-1.4\n'
  const entries = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`
  return Buffer.from(`${body}${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`)
}

/** An archive as Office writes them, uncompressed. */
export function zip(names: readonly string[]): Buffer {
  const content = Buffer.from('<?xml version="1.0"?><x/>')
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const name of names.map((each) => Buffer.from(each))) {
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, place, name]))
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, content])
    files.push(file)
    at += file.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  for (const field of [8, 10]) end.writeUInt16LE(names.length, field)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, ...directory, end])
}

export const docx = (): Buffer => zip(['[Content_Types].xml', '_rels/.rels', 'word/document.xml'])
export const pptx = (): Buffer => zip(['[Content_Types].xml', '_rels/.rels', 'ppt/presentation.xml'])

/** A file of Office up to 2003: a header, and a directory that names its parts. */
export function compound(...streams: readonly string[]): Buffer {
  const header = Buffer.alloc(512)
  header.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1')
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(1, 48)
  const entries = ['Root Entry', ...streams].map((name) => {
    const entry = Buffer.alloc(128)
    entry.write(name, 'utf16le')
    return entry
  })
  return Buffer.concat([header, Buffer.alloc(512), ...entries, Buffer.alloc(512)])
}
