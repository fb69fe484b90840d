const ENTITY_TAGS = /(?:W\/)?"[^"]*"/g

/** Whether a list of entity tags (`If-None-Match`, `If-Match`) includes this one, or is `*` (RFC 9110 §13.1). */
export function listsTag(header: string, etag: string, comparison: 'weak' | 'strong'): boolean {
  if (header.trim() === '*') return true
  const tags: readonly string[] = header.match(ENTITY_TAGS) ?? []
  return tags.includes(etag) || (comparison === 'weak' && tags.includes(`W/${etag}`))
}
