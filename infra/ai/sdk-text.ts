import * as z from 'zod'
import { asText } from '../../domain/core/text.ts'
import type { Http } from '../http/http.ts'
import type { AiServer } from '../runtime/ai-settings.ts'
import type { Clock } from '../runtime/clock.ts'
import { httpFetch } from '../http/http-fetch.ts'
import { promptOf, readablePrompt } from './prompt.ts'
import { failureOf, type FailureContext } from './sdk-failure.ts'
import type { Sdk } from './sdk.ts'
import { checkedText, TextModelError, type TextModel, type TextRequest } from './text.ts'

export interface SdkIo extends Pick<FailureContext, 'retryAfterMs'> {
  readonly http: Http
  readonly clock: Clock
  /** Unguessable, and different each time. */
  nonce(): string
}

const tokens = z.int().nonnegative().optional().catch(undefined)
const result = z.object({
  text: z.string(),
  finishReason: z.string(),
  usage: z.object({ inputTokens: tokens, outputTokens: tokens }),
  response: z.object({ modelId: z.string() }),
})

const MAX_MODEL_CHARS = 200
/** Extra options for a provider: OpenAI would otherwise store each answer for 30 days. */
const PROVIDER_OPTIONS = { openai: { store: false } }

/** Finish reasons that leave no usable text. */
const UNFINISHED: Readonly<Record<string, ConstructorParameters<typeof TextModelError>>> = {
  length: ['retryable', 'The AI reached the limit AI_MAX_OUTPUT_TOKENS before it finished.'],
  'content-filter': ['permanent', 'The AI refused to write this.'],
  'tool-calls': ['retryable', 'The AI called a tool instead of writing.'],
  error: ['retryable', 'The AI stopped before it finished.'],
}

/** An AI over HTTP, called once per text through the AI SDK, without streaming and without the SDK's own retries. */
export function sdkText(server: AiServer, sdk: Sdk, io: SdkIo): TextModel {
  const { provider, apiKey, baseUrl, maxOutputTokens } = server
  const fetch = httpFetch(io.http, server)
  const options = { name: provider, baseURL: baseUrl, fetch, ...(apiKey !== undefined && { apiKey }) }
  const model = sdk.createProvider(options)(server.model)
  return {
    write: async (request, signal) => {
      const { system, user } = promptOf(request, io.nonce())
      const call = { model, system, prompt: user, maxOutputTokens, maxRetries: 0, providerOptions: PROVIDER_OPTIONS }
      let answer: z.infer<typeof result>
      try {
        answer = result.parse(await sdk.generateText({ ...call, abortSignal: signal }))
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error, { apiKey, now: io.clock.now(), retryAfterMs: io.retryAfterMs })
      }
      const { inputTokens, outputTokens } = answer.usage
      return {
        ...{ text: writtenText(answer, request), provider, prompt: readablePrompt([system, user]) },
        model: asText(answer.response.modelId, MAX_MODEL_CHARS),
        ...(inputTokens !== undefined && { inputTokens }),
        ...(outputTokens !== undefined && { outputTokens }),
      }
    },
  }
}

function writtenText({ text, finishReason }: z.infer<typeof result>, request: TextRequest): string {
  const unfinished = UNFINISHED[finishReason]
  if (unfinished) throw new TextModelError(...unfinished)
  return checkedText(withoutThinking(text), request)
}

/** Local servers may leave a model's thinking in its text, with or without the opening tag. */
function withoutThinking(text: string): string {
  const answer = text.slice(endOfThinking(text))
  return /^\s*<think(ing)?>/.test(answer) ? '' : answer
}

function endOfThinking(text: string): number {
  return Math.max(0, ...[...text.matchAll(/<\/think(ing)?>/g)].map((tag) => tag.index + tag[0].length))
}
