import type { HttpResponse } from '../http/http.ts'
import { GenerationError } from './generation-error.ts'
import { asResponse, type ProviderFetch, type Send } from './provider-http.ts'

/** One run of the SDK, which submits a job and then polls it until it is done, all through this `fetch`. */
export type Run = (fetch: ProviderFetch) => PromiseLike<unknown>

/** A submission that was sent: its URL, and the part of the answer that identifies the job. */
export interface Submission {
  readonly url: string
  readonly answer: Readonly<Record<string, unknown>>
}

/** The result of a run that was allowed to poll its job once. `poll` is the provider's answer to that. */
export type Round =
  | { readonly ended: 'done'; readonly result: unknown }
  | { readonly ended: 'waiting'; readonly poll: HttpResponse | undefined }
  | { readonly ended: 'failed'; readonly error: unknown; readonly poll: HttpResponse | undefined }

/** Ends a run from within. It has no cause and no code, so the SDK cannot mistake it for another error. */
class RunEnded extends Error {}

/**
 * Sends a run's submission and nothing after it: the job waits at the provider until `roundOf` polls it.
 *
 * @returns the answer, whatever its status
 * @throws what ended the run before there was an answer: HttpFailure if the submission was sent
 */
export async function submissionOf(run: Run, send: Send): Promise<{ url: string; answer: HttpResponse }> {
  const submissions: { readonly url: string; readonly answer: Promise<HttpResponse> }[] = []
  try {
    await run(async (url, request) => {
      if (submissions.length > 0 || request.method !== 'POST') throw new RunEnded()
      const answer = send(String(url), request)
      submissions.push({ url: String(url), answer })
      await answer
      throw new RunEnded()
    })
  } catch (error) {
    if (submissions.length === 0) throw error
  }
  const [submission] = submissions
  if (!submission) throw new RunEnded('the SDK submitted nothing')
  return { url: submission.url, answer: await submission.answer }
}

/**
 * Polls a submitted job once: the run gets the recorded answer for its submission, which is not sent again, and the provider's
 * own answer to its first poll.
 *
 * @param send whatever it throws becomes the `error` of the round
 */
export async function roundOf(run: Run, { url: submittedTo, answer }: Submission, send: Send): Promise<Round> {
  let submitted = false
  let asked = false
  const polls: HttpResponse[] = []
  const fetch: ProviderFetch = async (url, request) => {
    if (request.method === 'POST') {
      if (submitted || String(url) !== submittedTo) throw outOfOrder()
      submitted = true
      return Response.json(answer)
    }
    if (!submitted) throw outOfOrder()
    if (asked) throw new RunEnded()
    asked = true
    const poll = await send(String(url), request)
    polls.push(poll)
    return asResponse(poll)
  }
  try {
    return { ended: 'done', result: await run(fetch) }
  } catch (error) {
    return error instanceof RunEnded ? { ended: 'waiting', poll: polls[0] } : { ended: 'failed', error, poll: polls[0] }
  }
}

/** Nothing is sent in this case: it might start, and bill, a second job. */
function outOfOrder(): GenerationError {
  return new GenerationError(
    'retryable',
    'The job was started in a way that this version of the service does not support.',
  )
}
