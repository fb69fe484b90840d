/** Of tool lists and answers, by the tokenizers of current models: 4.1 to 4.2. */
const BYTES_PER_TOKEN = 3.5

/** At least as many tokens as a model reads the text as. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
}
