import { Parser } from 'htmlparser2'
import { elementNames } from './element-names.ts'
import { absoluteUrl } from './url.ts'
import { decodeReferences } from './xml-references.ts'

export interface XmlElement {
  /** As customary: `media:content`. */
  readonly name: string
  /** As written, with their references. */
  readonly attributes: Readonly<Record<string, string>>
  /** Its xml:base, resolved; undefined where none is set. */
  readonly base: string | undefined
  /** 1 is the root. */
  readonly depth: number
}

export interface XmlVisitor {
  open(element: XmlElement, parent: XmlElement | undefined): void
  close(element: XmlElement): void
  /** @param raw with its references, but in CDATA there are none */
  text(raw: string, isCdata: boolean): void
  /** Asked after each element; true ends the walk. */
  isDone(): boolean
}

/** No document is meant to be so deep, and every open element costs. */
const MAX_DEPTH = 500

/**
 * Goes through XML as it comes: what is left open is closed with what surrounds it, what the document's own entities say
 * is not looked at, nor is anything outside of the document. An element that the document breaks off in is not closed.
 *
 * @returns `cut-off` when the document ends before its root does
 * @param url of the document, the first base
 */
export function walkXml(text: string, url: string, visitor: XmlVisitor): 'walked' | 'cut-off' | 'too-deep' {
  const names = elementNames()
  const open: (XmlElement & { readonly tag: string })[] = []
  let isTooDeep = false
  let isCdata = false
  const parser: Parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        const parent = open.at(-1)
        isTooDeep = open.length >= MAX_DEPTH
        if (isTooDeep) return parser.pause()
        names.declare(attributes)
        const given = attributes['xml:base']
        const base = given === undefined ? undefined : absoluteUrl(decodeReferences(given), parent?.base ?? url)
        const name = names.customary(tag)
        const element = { tag, name, attributes, base: base ?? parent?.base, depth: open.length + 1 }
        open.push(element)
        visitor.open(element, parent)
        if (visitor.isDone()) parser.pause()
      },
      onclosetag: (tag) => {
        const element = open.at(-1)
        // A tag that the document breaks off in is closed without having been opened.
        if (element?.tag !== tag) return
        open.pop()
        visitor.close(element)
        if (open.length === 0 || visitor.isDone()) parser.pause()
      },
      ontext: (raw) => visitor.text(raw, isCdata),
      oncdatastart: () => (isCdata = true),
      oncdataend: () => (isCdata = false),
    },
    { xmlMode: true, decodeEntities: false },
  )
  // Without its end: that would close what is open.
  parser.write(text)
  if (isTooDeep) return 'too-deep'
  return open.length > 0 ? 'cut-off' : 'walked'
}
