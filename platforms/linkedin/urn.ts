const COMMENT = /^urn:li:comment:\((?:urn:li:)?(\w+:[\w-]{1,64}),(\d{1,32})\)$/
const POST = /^urn:li:(?:share|ugcPost|activity):\d{1,32}$/

export interface CommentName {
  /** In the long form: LinkedIn writes `urn:li:comment:(activity:1,2)`, too. */
  readonly urn: string
  /** URN of what it stands under, as LinkedIn names it there: an activity, where the post is known as a share. */
  readonly entity: string
  /** A long number. */
  readonly id: string
}

/** @returns undefined when it is no URN of a comment */
export function commentName(text: string | undefined): CommentName | undefined {
  const [, of, id] = COMMENT.exec(text ?? '') ?? []
  return of === undefined || id === undefined ? undefined : nameUnder(`urn:li:${of}`, id)
}

/** @param entity URN of what it stands under */
export function nameUnder(entity: string, id: string): CommentName {
  return { urn: `urn:li:comment:(${entity},${id})`, entity, id }
}

export function isPostUrn(text: string): boolean {
  return POST.test(text)
}

/** A URN as a part of a path or a query: brackets, too, would mean something there. */
export function encodedUrn(urn: string): string {
  return encodeURIComponent(urn).replaceAll('(', '%28').replaceAll(')', '%29')
}
