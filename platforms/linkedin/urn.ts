const COMMENT = /^urn:li:comment:\((?:urn:li:)?(\w+:[\w-]{1,64}),(\d{1,32})\)$/
const POST = /^urn:li:(?:share|ugcPost|activity):\d{1,32}$/

export interface CommentName {
  /** In the long form; LinkedIn also writes `urn:li:comment:(activity:1,2)`. */
  readonly urn: string
  /** URN of its parent as LinkedIn names it there: possibly an activity where we know the post as a share. */
  readonly entity: string
  /** A number that may be too long for a JS number. */
  readonly id: string
}

/** @returns undefined if the text is not the URN of a comment */
export function commentName(text: string | undefined): CommentName | undefined {
  const [, of, id] = COMMENT.exec(text ?? '') ?? []
  return of === undefined || id === undefined ? undefined : nameUnder(`urn:li:${of}`, id)
}

/** @param entity URN of the parent */
export function nameUnder(entity: string, id: string): CommentName {
  return { urn: `urn:li:comment:(${entity},${id})`, entity, id }
}

export function isPostUrn(text: string): boolean {
  return POST.test(text)
}

/** Encodes a URN for a path or a query, including parentheses, which have a meaning there. */
export function encodedUrn(urn: string): string {
  return encodeURIComponent(urn).replaceAll('(', '%28').replaceAll(')', '%29')
}
