const WISHES = {
  /**
   * - `busy`: 503 at once, nothing is begun;
   * - `refuse`: 422 at once;
   * - `lost`: the job is begun, and the connection broken instead of an answer; asked again, it answers;
   * - `fail`: the job fails after it was begun;
   * - `stuck`: the job is never done.
   */
  video: ['busy', 'refuse', 'lost', 'fail', 'stuck'],
  /**
   * - `busy`: 503;
   * - `fail`: 422;
   * - `lost`: the connection is broken instead of an answer; asked again under the same key, it answers.
   */
  voice: ['busy', 'fail', 'lost'],
} as const

/** What a text wishes of who makes something of it, as `[sandbox video=fail]`; the first one counts. */
export function wishIn<Of extends keyof typeof WISHES>(text: string, of: Of): (typeof WISHES)[Of][number] | undefined {
  const wishes: readonly (typeof WISHES)[Of][number][] = WISHES[of]
  const [, wished] = new RegExp(`\\[sandbox ${of}=(${wishes.join('|')})\\]`).exec(text) ?? []
  return wishes.find((wish) => wish === wished)
}
