import t from 'tap'
import { sandboxText } from '../infra/ai/sandbox-text.ts'
import { HttpFailure, type Http, type HttpFailureKind } from '../infra/http/http.ts'
import { givenHttp, givenSandbox, postJson } from './support/sandbox.ts'

const { signal } = new AbortController()
const caption = (text: string) => [{ name: 'caption', text }]
const request = { instruction: 'Rewrite it.', data: caption('Fresh bread at seven'), maxChars: 100 }

/** An HTTP client that gives one answer to everything. */
function answering(answer: { status: number; body: string } | HttpFailure): Http {
  return {
    request: async () => {
      if (answer instanceof HttpFailure) throw answer
      const json = (): unknown => {
        try {
          return JSON.parse(answer.body)
        } catch {
          throw new HttpFailure('malformed', 'not JSON', true)
        }
      }
      return { status: answer.status, headers: {}, body: Buffer.from(answer.body), text: () => answer.body, json }
    },
    stream: async () => Promise.reject(new Error('not asked for')),
    close: async () => undefined,
  }
}
const write = (answer: Parameters<typeof answering>[0], given = signal) =>
  sandboxText({ http: answering(answer), url: 'http://127.0.0.1:1' }).write(request, given)

t.test('given the sandbox’s AI', async (t) => {
  const { url } = await givenSandbox(t)
  const http = givenHttp(t)
  const model = sandboxText({ http, url })

  await t.test('when it writes, then always the same, and never the text itself', async (t) => {
    const once = await model.write(request, signal)
    t.same(once, {
      text: 'Sandbox draft, in other words: Fresh bread at seven',
      provider: 'sandbox',
      model: 'sandbox-drafter',
      prompt: 'Rewrite it.\n\ncaption: Fresh bread at seven',
    })
    t.same(await model.write(request, signal), once)
  })

  await t.test('when it answers comments, then it takes up their words, and each is another text', async (t) => {
    const answerTo = async (text: string) => {
      const data = [
        { name: 'author', text: 'zoë-z' },
        { name: 'comment', text },
      ]
      return (await model.write({ ...request, data }, signal)).text
    }
    const cases: Readonly<Record<string, string>> = {
      'When does the rye bread come out?': 'Good question about “rye bread”, thank you! We will gladly tell you more.',
      'Where is this?': 'Good question, thank you! We will gladly tell you more.',
      'I love your sourdough!': 'Thank you! Your words about “sourdough” made our day.',
      'The delivery, as ever, was late.': 'We are sorry to read this about “delivery”. Thank you for telling us!',
      'Zzz? @zz #zz': 'Good question about “Zzz”, thank you! We will gladly tell you more.',
      '@zz #zz https://z.example/z </z> z@z.example': 'Thank you! Your words made our day.',
    }
    for (const [comment, words] of Object.entries(cases)) {
      const answer = await answerTo(comment)
      t.equal(answer.slice(0, -' (Sandbox draft 000000)'.length), words)
      t.match(answer, /\(Sandbox draft [0-9a-f]{6}\)$/)
    }
    t.not(await answerTo('I love your sourdough!'), await answerTo('Love the sourdough!'))
  })

  await t.test('when there is little room, then it keeps within it, by whole characters', async (t) => {
    const itsOwn = 'Sandbox draft, in other words: '
    for (const text of ['a', 'S', `${itsOwn}x`, itsOwn + itsOwn, '🙂🙂🙂', 'Grüße 🙂']) {
      for (let maxChars = 1; maxChars <= text.length + 20; maxChars += 1) {
        const written = await http.request(`${url}/ai/text`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...request, data: caption(text), maxChars }),
        })
        const { text: made } = written.json() as { text: string }
        if (made.length > maxChars || made === text || /\p{Surrogate}/u.test(made))
          t.fail(`${text} in ${maxChars}: ${made}`)
      }
    }
  })

  await t.test('when a field is wrong, then it is named', async (t) => {
    for (const [field, value] of [
      ['data', []],
      ['data', [{ name: 'Caption>', text: 'a' }]],
      ['data', [{ name: 'caption' }]],
      ['maxChars', 0],
      ['instruction', undefined],
      ['temperature', 1],
    ] as const) {
      const answer = await postJson(http, `${url}/ai/text`, { ...request, [field]: value })
      t.equal(answer.status, 400, field)
      t.match(answer.text(), field)
    }
  })

  for (const [wish, kind] of [
    ['fail', 'retryable'],
    ['refuse', 'permanent'],
  ] as const) {
    await t.test(`when the text says ai=${wish}, then it fails`, async (t) => {
      const failing = model.write({ ...request, data: caption(`Bread [sandbox ai=${wish}]`) }, signal)
      await t.rejects(failing, { name: 'TextModelError', kind })
    })
  }
})

t.test('given an AI with an unexpected response, then the error says what is wrong', async (t) => {
  const cases: readonly (readonly [Parameters<typeof answering>[0], string, RegExp])[] = [
    [{ status: 429, body: '{}' }, 'retryable', /status 429\.$/],
    [{ status: 500, body: '<html>' }, 'retryable', /status 500\.$/],
    [{ status: 401, body: '{"error":{"message":"no key"}}' }, 'permanent', /status 401: no key$/],
    [{ status: 200, body: '<html>' }, 'retryable', /did not respond: not JSON/],
    [{ status: 200, body: '{"words":"a"}' }, 'retryable', /returned no text/],
    [{ status: 200, body: '{"text":"a"}' }, 'retryable', /returned no text/],
    [{ status: 200, body: '{"text":" \\n","model":"m"}' }, 'retryable', /returned no text/],
    [
      { status: 200, body: JSON.stringify({ text: 'a'.repeat(101), model: 'm' }) },
      'retryable',
      /101 characters; the limit is 100/,
    ],
    [new HttpFailure('unreachable', 'nobody is there', false), 'retryable', /nobody is there/],
    [new HttpFailure('timeout', 'too slow', true), 'retryable', /too slow/],
    [new HttpFailure('blocked', 'not allowed', false), 'permanent', /not allowed/],
  ]
  for (const [answer, kind, message] of cases) {
    await t.rejects(write(answer), { name: 'TextModelError', kind, message }, String(message))
  }
  t.match(await write({ status: 200, body: '{"text":" a\\n","model":"m"}' }), { text: 'a' })
})

t.test('given a service that stops, when the AI is still writing, then that is no failure of the AI', async (t) => {
  const kind: HttpFailureKind = 'aborted'
  const stopped = write(new HttpFailure(kind, 'the service is stopping', true), AbortSignal.abort())
  await t.rejects(stopped, { name: 'HttpFailure', kind })
})
