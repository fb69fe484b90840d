import { asText } from '../domain/text.ts'

/** A model that writes text. One file in this folder for each provider. */
export interface TextModel {
  /**
   * @param request `instruction` says what to make of `text`; `maxChars`, in UTF-16 code units, is as long as the answer
   *   may be
   * @returns the text alone: not empty, and not longer than asked for
   * @throws TextModelError
   */
  write(request: TextRequest, signal: AbortSignal): Promise<string>
}

export interface TextRequest {
  readonly instruction: string
  readonly text: string
  readonly maxChars: number
}

/** Why nothing was written. The message is shown to the user: plain words, no secret. */
export class TextModelError extends Error {
  /** `permanent`: the same request will be refused again. */
  readonly kind: 'permanent' | 'retryable'

  constructor(kind: TextModelError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TextModelError'
    this.kind = kind
  }
}

/** What a model has written, if it is what was asked for. @throws TextModelError */
export function checkedText(written: string, { maxChars }: Pick<TextRequest, 'maxChars'>): string {
  const text = asText(written.trim(), written.length)
  if (text === '') throw new TextModelError('retryable', 'The AI has written nothing.')
  if (text.length <= maxChars) return text
  throw new TextModelError('retryable', `The AI has written ${text.length} characters; ${maxChars} were asked for.`)
}
