import * as z from 'zod'
import { HttpFailure, type Http, type HttpResponse } from '../http/http.ts'
import { readablePrompt } from './prompt.ts'
import { checkedText, TextModelError, type TextModel } from './text.ts'
import { unanswered } from './unanswered.ts'

const TIMEOUT_MS = 30_000
const answerSchema = z.object({ text: z.string(), model: z.string() })
const errorSchema = z.object({ error: z.object({ message: z.string() }) })

/** The sandbox's stand-in (`packages/sandbox/ai.ts`). @param url of the sandbox, without a trailing slash */
export function sandboxText({ http, url }: { readonly http: Http; readonly url: string }): TextModel {
  return {
    write: async (request, signal) => {
      try {
        const answer = await http.request(`${url}/ai/text`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
          timeoutMs: TIMEOUT_MS,
          signal,
        })
        if (answer.status !== 200) throw refused(answer)
        const { text, model } = answerOf(answer)
        const prompt = readablePrompt([
          request.instruction,
          ...request.data.map(({ name, text }) => `${name}: ${text}`),
        ])
        return { text: checkedText(text, request), provider: 'sandbox', model, prompt }
      } catch (error) {
        if (!(error instanceof HttpFailure) || signal.aborted) throw error
        throw unanswered(error)
      }
    },
  }
}

function answerOf(answer: HttpResponse): z.infer<typeof answerSchema> {
  const parsed = answerSchema.safeParse(answer.json())
  if (parsed.success) return parsed.data
  throw new TextModelError('retryable', 'The AI returned no text.')
}

function refused(answer: HttpResponse): TextModelError {
  const { status } = answer
  const kind = status === 429 || status >= 500 ? 'retryable' : 'permanent'
  const parsed = errorSchema.safeParse(jsonOf(answer))
  const message = parsed.success ? `: ${parsed.data.error.message}` : '.'
  return new TextModelError(kind, `The AI responded with status ${status}${message}`)
}

/** An error may come from a proxy and not be JSON at all. */
function jsonOf(answer: HttpResponse): unknown {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}
