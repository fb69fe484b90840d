import * as z from 'zod'

/** The author of a comment. Not every token gets all fields. */
export const authorFields = {
  username: z.string().optional(),
  from: z.object({ id: z.string().optional(), username: z.string().optional() }).optional(),
}

interface Authored {
  readonly username?: string | undefined
  readonly from?: { readonly id?: string | undefined; readonly username?: string | undefined } | undefined
}

export function nameOf({ from, username }: Authored): string | undefined {
  return username ?? from?.username
}

/** @returns undefined if the author is unknown */
export function isOurs(
  comment: Authored,
  us: { readonly accountId: string; readonly username: string },
): boolean | undefined {
  const { from, username } = comment
  if ((nameOf(comment) ?? from?.id) === undefined) return undefined
  const isName = (name: string | undefined): boolean => name?.toLowerCase() === us.username.toLowerCase()
  return from?.id === us.accountId || isName(from?.username) || isName(username)
}
