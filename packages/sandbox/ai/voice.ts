import { SandboxRefusal } from '../refusal.ts'
import { ProgramFailure, runProgram } from './run-program.ts'
import { speakingProgram } from './tools.ts'
import { createTurns } from './turns.ts'

export interface Voices {
  /**
   * @returns a WAV file: 16-bit mono, 22,050 samples per second; deterministic
   * @throws SandboxRefusal 422 when the voice does not exist or the text yields no speech; 503 when nothing can speak
   */
  speak(text: string, voice: string): Promise<Buffer>
  /** Aborts running speech. */
  close(): void
}

const MOST_AT_ONCE = 2
/** Exit code of the program for an unknown voice. */
const NO_SUCH_VOICE = 3
/** A text of 20,000 characters takes 2 s. */
const SPEAK_LIMIT_MS = 60_000
/** 25 minutes of audio. */
const MOST_BYTES = 64 * 1024 * 1024
/** A tenth of a second: a text without words yields less. */
const LEAST_BYTES = 4_410
/** All but line breaks, which are pauses. */
const CONTROL = /[^\P{Cc}\n]/gu

/** @param renderer the folder of the speech package */
export function createVoices(renderer: string): Voices {
  const inTurn = createTurns(MOST_AT_ONCE)
  const closing = new AbortController()
  return {
    speak: async (text, voice) => {
      const program = speakingProgram(renderer)
      const speech = await inTurn(() => spoken(program, text.replaceAll(CONTROL, ' '), voice, closing.signal))
      if (speech.length < LEAST_BYTES)
        throw new SandboxRefusal(422, 'nothing_to_speak', 'text: contains nothing to speak')
      return speech
    },
    close: () => closing.abort(),
  }
}

async function spoken(program: string, text: string, voice: string, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const tooLong = new AbortController()
  const onOutput = (chunk: Buffer): void => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BYTES) tooLong.abort()
  }
  // The child must not inherit Node.js options from this process's environment.
  const node = { command: process.execPath, args: [program, voice], environment: {} }
  try {
    await runProgram(
      { ...node, input: text, limitMs: SPEAK_LIMIT_MS, onOutput },
      AbortSignal.any([signal, tooLong.signal]),
    )
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error
    if (tooLong.signal.aborted) throw new SandboxRefusal(422, 'too_long', 'text: takes too long to speak')
    if (error.exitCode === NO_SUCH_VOICE) {
      throw new SandboxRefusal(422, 'unknown_voice', `voice: unknown voice ${voice}`)
    }
    throw new SandboxRefusal(500, 'server_error', `the voice failed: ${error.message}`)
  }
  return Buffer.concat(chunks)
}
