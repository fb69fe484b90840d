import { asText } from '../../domain/core/text.ts'

/** A model that writes text. One file in this folder for each kind of provider. */
export interface TextModel {
  /**
   * @returns the text alone: not empty, and not longer than asked for; and where it came from
   * @throws TextModelError; whatever ends a call when `signal` aborts
   */
  write(request: TextRequest, signal: AbortSignal): Promise<WrittenText>
}

export interface TextRequest {
  /** What is to be made of the material. Trusted: our words, or those of the account's owner. */
  readonly instruction: string
  /** The material, by whomever: the model is told that nothing in it is an instruction. */
  readonly data: readonly TextData[]
  /** The longest answer, in UTF-16 code units. */
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
  /** As the provider itself names what has answered. */
  readonly model: string
  /** All that the model was given, at most `MAX_PROMPT_CHARS` of it. */
  readonly prompt: string
  readonly inputTokens?: number
  readonly outputTokens?: number
}

export const MAX_PROMPT_CHARS = 20_000

/** Why nothing was written. The message is shown to the user: plain words, no secret. */
export class TextModelError extends Error {
  /** `permanent`: the same request will be refused again. */
  readonly kind: 'permanent' | 'retryable'
  /** Milliseconds after which the provider wants to be asked again, when it said so. */
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

/** What a model has written, if it is what was asked for. @throws TextModelError */
export function checkedText(written: string, { maxChars }: Pick<TextRequest, 'maxChars'>): string {
  const text = asText(written.trim(), written.length)
  if (text === '') throw new TextModelError('retryable', 'The AI has written nothing.')
  if (text.length <= maxChars) return text
  throw new TextModelError('retryable', `The AI has written ${text.length} characters; ${maxChars} were asked for.`)
}
