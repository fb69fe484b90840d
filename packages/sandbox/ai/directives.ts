const DIRECTIVES = {
  /**
   * - `busy`: 503 at once, no job is started;
   * - `refuse`: 422 at once;
   * - `lost`: the job starts, but the connection is dropped instead of answered; a retry is answered;
   * - `fail`: the job starts, then fails;
   * - `stuck`: the job never completes.
   */
  video: ['busy', 'refuse', 'lost', 'fail', 'stuck'],
  /**
   * - `busy`: 503;
   * - `fail`: 422;
   * - `lost`: the connection is dropped instead of answered; a retry with the same key is answered.
   */
  voice: ['busy', 'fail', 'lost'],
} as const

/** The first directive in a text for one kind of output, such as `[sandbox video=fail]`. */
export function directiveIn<Of extends keyof typeof DIRECTIVES>(
  text: string,
  of: Of,
): (typeof DIRECTIVES)[Of][number] | undefined {
  const known: readonly (typeof DIRECTIVES)[Of][number][] = DIRECTIVES[of]
  const [, given] = new RegExp(`\\[sandbox ${of}=(${known.join('|')})\\]`).exec(text) ?? []
  return known.find((directive) => directive === given)
}
