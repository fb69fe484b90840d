import { asText } from '../../domain/core/text.ts'

/** A model that writes text. One file in this folder per kind of provider. */
export interface TextModel {
  /**
   * @returns the text alone, neither empty nor longer than requested, and its provenance
   * @throws TextModelError; whatever ends a call when `signal` aborts
   */
  write(request: TextRequest, signal: AbortSignal): Promise<WrittenText>
}

export interface TextRequest {
  /** What to do with the material. Trusted: our words, or the account owner's. */
  readonly instruction: string
  /** The material, from any author: the model is told that nothing in it is an instruction. */
  readonly data: readonly TextData[]
  /** Maximum length of the answer, in UTF-16 code units. */
  readonly maxChars: number
}

export interface TextData {
  /** What it is, as one word of ours: `caption`, `comment`. */
  readonly name: string
  readonly text: string
}

/** A text and its provenance, fit for an event. */
export interface WrittenText {
  readonly text: string
  readonly provider: string
  /** As the provider itself names the model that answered. */
  readonly model: string
  /** Everything the model was given, cut to `MAX_PROMPT_CHARS`. */
  readonly prompt: string
  readonly inputTokens?: number
  readonly outputTokens?: number
}

export const MAX_PROMPT_CHARS = 20_000

/** Why no text was written. The message is shown to the user: plain words, no secrets. */
export class TextModelError extends Error {
  /** `permanent`: the same request will be refused again. */
  readonly kind: 'permanent' | 'retryable'
  /** Milliseconds the provider asked us to wait before retrying, if it said so. */
  readonly retryAfterMs: number | undefined

  constructor(
    kind: TextModelError['kind'],
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options)
    this.name = 'TextModelError'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

/** A model's text, trimmed, if it is within the limits. @throws TextModelError */
export function checkedText(written: string, { maxChars }: Pick<TextRequest, 'maxChars'>): string {
  const text = asText(written.trim(), written.length)
  if (text === '') throw new TextModelError('retryable', 'The AI returned no text.')
  if (text.length <= maxChars) return text
  throw new TextModelError('retryable', `The AI wrote ${text.length} characters; the limit is ${maxChars}.`)
}
