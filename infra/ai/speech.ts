/** A model that speaks a text. One file in this folder for each kind of provider. */
export interface SpeechModel {
  /** As of a `VideoModel`. */
  readonly proof: 'idempotent-key' | 'opaque'
  /** The voices there are, where they are known beforehand. */
  readonly voices?: readonly string[]
  /** @throws GenerationError */
  speak(request: SpeechRequest, signal: AbortSignal): Promise<Speech>
}

export interface SpeechRequest {
  /** Names the work: the same for each attempt at the same speech. */
  readonly key: string
  readonly text: string
  /** Absent: the model's own. */
  readonly voiceId?: string | undefined
}

export interface Speech {
  readonly bytes: Uint8Array
  readonly mimeType: 'audio/wav' | 'audio/mpeg' | 'audio/mp4'
  readonly provider: string
  /** As the provider itself names what has spoken. */
  readonly model: string
}
