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

export interface XmlWalk {
  /** @param text the next of the document; it may be cut anywhere */
  write(text: string): void
  /** Whether nothing of what is still to come matters. */
  isOver(): boolean
  /** `cut-off` when the document ends before its root does. */
  outcome(): 'walked' | 'cut-off' | 'too-deep'
}

/** No document is meant to be so deep, and every open element costs. */
const MAX_DEPTH = 500
/** A reference that the text breaks off in. */
const OPEN_REFERENCE = /&#?\w{0,32}$/

/**
 * Goes through XML as it comes: what is left open is closed with what surrounds it, what the document's own entities say
 * is not looked at, nor is anything outside of the document. An element that the document breaks off in is not closed.
 *
 * @param url of the document, the first base
 */
export function walkXml(url: string, visitor: XmlVisitor): XmlWalk {
  const names = elementNames()
  const open: (XmlElement & { readonly tag: string })[] = []
  let isTooDeep = false
  let isCdata = false
  let isOver = false
  let held = ''
  const stop = () => {
    isOver = true
    parser.pause()
  }
  /** What was held back for the rest of a reference, of which there was none. */
  const endText = () => {
    if (held !== '') visitor.text(held, false)
    held = ''
  }
  const parser: Parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        endText()
        const parent = open.at(-1)
        isTooDeep = open.length >= MAX_DEPTH
        if (isTooDeep) return stop()
        names.declare(attributes)
        const given = attributes['xml:base']
        const base = given === undefined ? undefined : absoluteUrl(decodeReferences(given), parent?.base ?? url)
        const name = names.customary(tag)
        const element = { tag, name, attributes, base: base ?? parent?.base, depth: open.length + 1 }
        open.push(element)
        visitor.open(element, parent)
        if (visitor.isDone()) stop()
      },
      onclosetag: (tag) => {
        endText()
        const element = open.at(-1)
        // A tag that the document breaks off in is closed without having been opened.
        if (element?.tag !== tag) return
        open.pop()
        visitor.close(element)
        if (open.length === 0 || visitor.isDone()) stop()
      },
      ontext: (raw) => {
        if (isCdata) return visitor.text(raw, true)
        const text = held + raw
        held = OPEN_REFERENCE.exec(text.slice(-34))?.[0] ?? ''
        if (text.length > held.length) visitor.text(text.slice(0, text.length - held.length), false)
      },
      oncdatastart: () => {
        endText()
        isCdata = true
      },
      oncdataend: () => (isCdata = false),
    },
    { xmlMode: true, decodeEntities: false },
  )
  return {
    write: (text) => {
      if (!isOver) parser.write(text)
    },
    isOver: () => isOver,
    // The parser is not told of the end: it would close what is open.
    outcome: () => (isTooDeep ? 'too-deep' : open.length > 0 ? 'cut-off' : 'walked'),
  }
}
