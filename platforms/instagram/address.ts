/*
 * Threads are one level deep: a reply to a reply appears beside it, and starts with the name of the user it answers.
 */

/** A name consists of letters, digits, dots and underscores, and nothing precedes it. */
const ADDRESSEE = /^@([A-Za-z0-9_.]*[A-Za-z0-9_])/

/** The user that a comment names at its start, in lower case. */
export function addresseeOf(text: string): string | undefined {
  return ADDRESSEE.exec(text.trimStart())?.[1]?.toLowerCase()
}

/** The text as a reply to this user's reply. */
export function addressed(text: string, username: string | undefined): string {
  return username === undefined || addresseeOf(text) === username.toLowerCase() ? text : `@${username} ${text}`
}
