import type { ByteSource } from './byte-source.ts'

/** Where the last `startxref` is, with room for what some programs append. */
const END_BYTES = 32_768
const START_BYTES = 1_024
const DICTIONARY_BYTES = 4_096
/** The root of the pages may list all of them before it counts them. */
const PAGES_BYTES = 65_536
/** Of a cross-reference table (ISO 32000-1 §7.5.4). */
const ENTRY_BYTES = 20
/** No real file has this many; a malicious one may go round in circles. */
const MOST_SECTIONS = 1_000

interface Section {
  /** Number of the first object, and how many there are. */
  readonly first: number
  readonly count: number
  /** Where its entries start. */
  readonly at: number
}

/**
 * How many pages a PDF has, from few reads of bounded size and without unpacking anything.
 *
 * @returns `unknown` if that is in a compressed part of the file, `damaged` if the end of the file is missing
 */
export async function pdfPages(source: ByteSource): Promise<number | 'unknown' | 'damaged'> {
  const end = await textAt(source, Math.max(0, source.size - END_BYTES), END_BYTES)
  const table = numberIn(/startxref\s+(\d{1,15})/, end.slice(end.lastIndexOf('startxref')))
  if (table === undefined) return 'damaged'
  return (
    linearizedPages(await textAt(source, 0, START_BYTES), source.size) ??
    (await countedPages(source, table)) ??
    'unknown'
  )
}

/** A file made for the web says it at its start, as long as nothing was appended (ISO 32000-1, annex F). */
function linearizedPages(start: string, size: number): number | undefined {
  const isWhole = start.includes('/Linearized') && numberIn(/\/L\s+(\d{1,15})/, start) === size
  return isWhole ? numberIn(/\/N\s+(\d{1,9})/, start) : undefined
}

/** What the root of the pages says, if cross-reference tables lead there. */
async function countedPages(source: ByteSource, table: number): Promise<number | undefined> {
  const sections: Section[] = []
  let root: number | undefined
  for (let at: number | undefined = table; at !== undefined && sections.length < MOST_SECTIONS;) {
    const trailer = await trailerBehind(source, at, sections)
    if (trailer === undefined) return undefined
    root ??= numberIn(/\/Root\s+(\d{1,9})\s/, trailer)
    at = numberIn(/\/Prev\s+(\d{1,15})/, trailer)
  }
  const object = async (number: number | undefined, bytes: number): Promise<string> =>
    number === undefined ? '' : objectIn(source, sections, number, bytes)
  const pages = numberIn(/\/Pages\s+(\d{1,9})\s/, await object(root, DICTIONARY_BYTES))
  return numberIn(/\/Count\s+(\d{1,9})\b(?!\s+\d+\s+R)/, await object(pages, PAGES_BYTES))
}

/** Adds the sections of a table to those found before, and returns what follows them; undefined if it is no table. */
async function trailerBehind(source: ByteSource, table: number, sections: Section[]): Promise<string | undefined> {
  const [keyword] = /^\s*xref\s+/.exec(await textAt(source, table, 64)) ?? []
  if (keyword === undefined) return undefined
  for (let at = table + keyword.length; sections.length < MOST_SECTIONS;) {
    const [header, first, count] = /^\s*(\d{1,9}) +(\d{1,9})\s+/.exec(await textAt(source, at, 64)) ?? []
    if (header === undefined) break
    const section = { first: Number(first), count: Number(count), at: at + header.length }
    sections.push(section)
    at = section.at + section.count * ENTRY_BYTES
    if (/^\s*trailer/.test(await textAt(source, at, 64))) return textAt(source, at, DICTIONARY_BYTES)
  }
  return undefined
}

/** The text of an object, by the newest entry for it; empty if there is none. */
async function objectIn(
  source: ByteSource,
  sections: readonly Section[],
  number: number,
  bytes: number,
): Promise<string> {
  const section = sections.find(({ first, count }) => number >= first && number < first + count)
  const entry = section && (await textAt(source, section.at + (number - section.first) * ENTRY_BYTES, ENTRY_BYTES))
  const at = numberIn(/^(\d{10}) \d{5} n/, entry ?? '')
  const text = at === undefined ? '' : await textAt(source, at, bytes)
  const isThis = new RegExp(`^\\s*${number}\\s+\\d+\\s+obj\\b`).test(text)
  return isThis ? text.split('endobj', 1).join('') : ''
}

async function textAt(source: ByteSource, position: number, length: number): Promise<string> {
  return position < source.size ? (await source.read(position, length)).toString('latin1') : ''
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}
