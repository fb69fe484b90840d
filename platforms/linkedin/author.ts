import { z } from 'zod'

/** Who posts: a member, or a page that the member has a role on. */
export const authorSchema = z
  .string()
  .regex(/^urn:li:(?:person:[\w-]+|organization:\d+)$/, 'must be urn:li:organization:<number> or urn:li:person:<id>')

/** Members may not read their own posts back, pages may. */
export function isOrganization(urn: string | undefined): urn is string {
  return urn?.startsWith('urn:li:organization:') ?? false
}
