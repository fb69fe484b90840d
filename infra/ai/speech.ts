/** A model that turns text into speech. One file in this folder per kind of provider. */
export interface SpeechModel {
  /** As in `VideoModel`. */
  readonly proof: 'idempotent-key' | 'opaque'
  /** The available voices, if known in advance. */
  readonly voices?: readonly string[]
  /** @throws GenerationError */
  speak(request: SpeechRequest, signal: AbortSignal): Promise<Speech>
}

export interface SpeechRequest {
  /** Identifies the work: the same for every attempt at the same speech. */
  readonly key: string
  readonly text: string
  /** Default: the model's own. */
  readonly voiceId?: string | undefined
}

export interface Speech {
  readonly bytes: Uint8Array
  readonly mimeType: 'audio/wav' | 'audio/mpeg' | 'audio/mp4'
  readonly provider: string
  /** As the provider itself names the model that answered. */
  readonly model: string
}
