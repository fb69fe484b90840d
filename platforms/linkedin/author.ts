import * as z from 'zod'

/** Who posts: a member, or a page on which the member has a role. */
export const authorSchema = z
  .string()
  .regex(/^urn:li:(?:person:[\w-]+|organization:\d+)$/, 'must be urn:li:organization:<number> or urn:li:person:<id>')

/** Whether the author is a page. Pages can read their own posts back, members cannot. */
export function isOrganization(urn: string | undefined): urn is string {
  return urn?.startsWith('urn:li:organization:') ?? false
}

/** The label of a page whose name is unknown. */
export function pageLabel(urn: string): string {
  return `LinkedIn page ${urn.slice(urn.lastIndexOf(':') + 1)}`
}

/** LinkedIn does not disclose the names of commenters. */
export function shownAuthor(urn: string | undefined): string {
  return isOrganization(urn) ? pageLabel(urn) : 'LinkedIn member'
}
