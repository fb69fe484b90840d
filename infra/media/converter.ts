import type { Conversion } from './conversion.ts'

export interface ConversionJob<C extends Conversion = Conversion> {
  /** Path of the original. */
  readonly from: string
  /** Path of the result. */
  readonly to: string
  readonly mimeType: string
  readonly conversion: C
}

export interface Converted {
  /** Whether it would be better with a higher limit of bytes. */
  readonly isReduced: boolean
}

export interface Converter<C extends Conversion> {
  /**
   * Workspaces take turns: one that converts a thousand items delays those of another by one.
   *
   * @param signal gives it up
   * @throws ConversionFailure
   */
  convert(job: ConversionJob<C>, workspaceId: string, signal: AbortSignal): Promise<Converted>
  /** Conversions that are under way or wait fail. */
  close(): void
}

/** @property isOfMedia whether another attempt would fail as well */
export class ConversionFailure extends Error {
  readonly isOfMedia: boolean

  constructor(message: string, isOfMedia: boolean) {
    super(message)
    this.name = 'ConversionFailure'
    this.isOfMedia = isOfMedia
  }
}

export function canceled(): ConversionFailure {
  return new ConversionFailure('it was canceled', false)
}
