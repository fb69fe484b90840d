import type { WrittenText } from '../../infra/ai/text.ts'

/** What a model of a test has written. */
export function writtenText(text: string): WrittenText {
  return { text, provider: 'test', model: 'test-1', prompt: 'Write.' }
}
