/** Words: tool lists need 4.0 to 4.3 by o200k_base and cl100k_base. */
const BYTES_PER_TOKEN = 3.2
/** Ids, cursors and times: 1.4 to 1.7. */
const BYTES_PER_TOKEN_OF_IDS = 1.4
const IDS = /[\w-]{12,}/g

/** At least as many tokens as those tokenizers count, without one of them at hand. */
export function tokensIn(text: string): number {
  const ids = text.match(IDS)?.filter((run) => /\d/.test(run)) ?? []
  const ofIds = ids.reduce((sum, id) => sum + id.length, 0)
  return Math.ceil((Buffer.byteLength(text) - ofIds) / BYTES_PER_TOKEN + ofIds / BYTES_PER_TOKEN_OF_IDS)
}
