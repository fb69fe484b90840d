import { z } from 'zod'

/** Who posts: a member, or a page that the member has a role on. */
export const authorSchema = z
  .string()
  .regex(/^urn:li:(?:person:[\w-]+|organization:\d+)$/, 'must be urn:li:organization:<number> or urn:li:person:<id>')

/** Members may not read their own posts back, pages may. */
export function isOrganization(urn: string | undefined): urn is string {
  return urn?.startsWith('urn:li:organization:') ?? false
}

/** A page whose name is not told. */
export function pageLabel(urn: string): string {
  return `LinkedIn page ${urn.slice(urn.lastIndexOf(':') + 1)}`
}

/** LinkedIn keeps the names of those who comment to itself. */
export function shownAuthor(urn: string | undefined): string {
  return isOrganization(urn) ? pageLabel(urn) : 'LinkedIn member'
}
