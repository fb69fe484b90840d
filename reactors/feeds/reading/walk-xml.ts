import { Parser } from 'htmlparser2'
import { elementNames } from './element-names.ts'
import { absoluteUrl } from './url.ts'
import { decodeReferences } from './xml-references.ts'

export interface XmlElement {
  /** The customary name: `media:content`. */
  readonly name: string
  /** As written, with references not decoded. */
  readonly attributes: Readonly<Record<string, string>>
  /** The resolved xml:base; undefined if none is set. */
  readonly base: string | undefined
  /** 1 for the root. */
  readonly depth: number
}

export interface XmlVisitor {
  open(element: XmlElement, parent: XmlElement | undefined): void
  close(element: XmlElement): void
  /** @param raw with references not decoded; CDATA has none */
  text(raw: string, isCdata: boolean): void
  /** Checked after each element; true ends the walk. */
  isDone(): boolean
}

export interface XmlWalk {
  /** @param text the next piece of the document, split anywhere */
  write(text: string): void
  /** Whether the rest of the document does not matter. */
  isOver(): boolean
  /** `cut-off` when the document ends before its root does. */
  outcome(): 'walked' | 'cut-off' | 'too-deep'
}

/** No real document is this deep, and every open element costs memory. */
const MAX_DEPTH = 500
/** An incomplete reference at the end of a text. */
const OPEN_REFERENCE = /&#?\w{0,32}$/

/**
 * Walks XML as it streams in. An unclosed element ends with its parent; entities that the document declares, and anything outside
 * of the root, are ignored. An element that the document breaks off in is not closed.
 *
 * @param url of the document, the initial base
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
  /** Emits text held back for the rest of a reference that did not come. */
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
        // The parser also closes a tag that the document breaks off in, without having opened it.
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
    // Never call the parser's end(): it would close open elements.
    outcome: () => (isTooDeep ? 'too-deep' : open.length > 0 ? 'cut-off' : 'walked'),
  }
}
