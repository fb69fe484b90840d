import type { HttpResponse } from '../http/http.ts'
import { GenerationError } from './generation-error.ts'
import { asResponse, type ProviderFetch, type Send } from './provider-http.ts'

/** One run of the SDK, which submits a job and then asks for it until it is done, all by this `fetch`. */
export type Run = (fetch: ProviderFetch) => PromiseLike<unknown>

/** A submission that was made: where to, and as much of its answer as leads to the job. */
export interface Submission {
  readonly url: string
  readonly answer: Readonly<Record<string, unknown>>
}

/** How a run ended that was allowed to ask for its job once. `poll` is what the provider said to that. */
export type Round =
  | { readonly ended: 'done'; readonly result: unknown }
  | { readonly ended: 'waiting'; readonly poll: HttpResponse | undefined }
  | { readonly ended: 'failed'; readonly error: unknown; readonly poll: HttpResponse | undefined }

/** Ends a run from within. It has no cause and no code, so that the SDK takes it for nothing else. */
class RunEnded extends Error {}

/**
 * The submission of a run, which is sent, and nothing after it: the job waits at the provider until `roundOf` asks for it.
 *
 * @returns the answer, whatever its status
 * @throws what ended the run before there was an answer: HttpFailure when the submission was sent
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
  if (!submission) throw new RunEnded('the SDK has submitted nothing')
  return { url: submission.url, answer: await submission.answer }
}

/**
 * One round of asking for a job that was submitted before: the run is given the recorded answer for its submission, which is
 * not sent again, and the provider's own to its first question after that.
 *
 * @param send throws what is found as the `error` of a round
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

/** Nothing is sent then: it might begin, and be paid for, a second job. */
function outOfOrder(): GenerationError {
  return new GenerationError('retryable', 'The job was begun in a way that this version of the service does not know.')
}
