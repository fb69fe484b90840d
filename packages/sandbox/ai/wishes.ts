const WISHES = {
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
export function wishIn<Of extends keyof typeof WISHES>(text: string, of: Of): (typeof WISHES)[Of][number] | undefined {
  const wishes: readonly (typeof WISHES)[Of][number][] = WISHES[of]
  const [, wished] = new RegExp(`\\[sandbox ${of}=(${wishes.join('|')})\\]`).exec(text) ?? []
  return wishes.find((wish) => wish === wished)
}
