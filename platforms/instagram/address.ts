/*
 * Threads are one level deep: what answers a reply stands beside it, and begins with the name of who is answered.
 */

/** Names are of letters, digits, dots and underscores, and no word before them. */
const ADDRESSEE = /^@([A-Za-z0-9_.]*[A-Za-z0-9_])/

/** Whom a comment names at its beginning, in lower case. */
export function addresseeOf(text: string): string | undefined {
  return ADDRESSEE.exec(text.trimStart())?.[1]?.toLowerCase()
}

/** The text as an answer to a reply of theirs. */
export function addressed(text: string, username: string | undefined): string {
  return username === undefined || addresseeOf(text) === username.toLowerCase() ? text : `@${username} ${text}`
}
