import t from 'tap'
import fc from 'fast-check'
import { streamKinds } from '../domain/log/event-kinds.ts'
import { describeEvent } from '../domain/log/describe.ts'
import { valuesOf } from './support/generated.ts'

const LONGEST = 3_000
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u
const TURNED_AROUND = /\p{Bidi_Control}/u
const ENDED = /(?:\.|https?:\/\/\S+)$/
const FAULTY = /undefined|\[object|NaN/

/** In ASCII: after a U+2028 in what it prints, tap loses the rest of a test. */
function reportOf(run: fc.RunDetails<[unknown]>): string {
  const report = fc.defaultReportMessage(run) ?? ''
  return report
    .slice(0, 2_000)
    .replaceAll(/[^\n -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

const told = (category: string, type: string, data: object) => describeEvent({ stream: `${category}-1`, type, data })

t.test('given any event of any kind, when it is described, then the description is one short line', async (t) => {
  for (const [category, { events }] of Object.entries(streamKinds)) {
    for (const [type, schema] of Object.entries(events)) {
      const isWhole = (value: unknown) => {
        const line = told(category, type, schema.parse(value))
        const isPlain = ONE_LINE.test(line) && !TURNED_AROUND.test(line) && !FAULTY.test(line)
        return isPlain && ENDED.test(line) && line.length <= LONGEST && line !== type
      }
      const run = fc.check(fc.property(valuesOf(schema), isWhole), { numRuns: 50 })
      t.notOk(run.failed, `${category} ${type}`, { report: reportOf(run) })
    }
  }
})

const UNTIL = '2026-11-22T10:00:00.000Z'
const publish = { platform: 'x', accountId: 'acc_1', attempt: 2 }
const limited = { error: 'Rate limit' }
const comment = { workspaceId: 'ws_1', platform: 'x', accountId: 'acc_1', commentId: '7', references: {} }
const video = { workspaceId: 'ws_1', scenes: [{ mediaSource: 'ai', aiPrompt: 'A cat' }], aspectRatio: '9:16' }
const content = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', captionOverrides: {}, hashtags: [] }
const selections = { x: ['acc_1', 'acc_2'], bluesky: ['acc_3'] }
const written = { provider: 'openai', model: 'gpt-5', prompt: 'Write', inputTokens: 300, outputTokens: 10 }
const look = { workspaceId: 'ws_1', postId: 'post_1', platform: 'x', accountId: 'acc_1', platformPostId: '9' }

type Sentences = Readonly<Record<string, readonly (readonly [data: object, line: string])[]>>

const SENTENCES: Readonly<Record<string, Sentences>> = {
  account: {
    AutomationSet: [
      [{ mode: 'review', instruction: '' }, 'Automation set to review.'],
      [{ mode: 'auto', instruction: 'Be kind' }, 'Automation set to auto, with the instruction "Be kind".'],
    ],
    AccountRested: [[{ until: UNTIL, reason: 'Rate limit' }, `The platform asked to wait until ${UNTIL}: Rate limit.`]],
  },
  post: {
    PostQueued: [
      [
        { workspaceId: 'ws_1', origin: 'api', ...content, selections, caption: 'Hello\nyou' },
        'Queued by a request for 3 accounts on x, bluesky: "Hello you".',
      ],
      [
        { workspaceId: 'ws_1', origin: 'rss', ...content, selections: {}, caption: ' ' },
        'Queued by a feed for no accounts.',
      ],
    ],
    AccountPublished: [
      [
        { ...publish, postId: '9', url: 'https://x.com/a/status/9' },
        'Published on x (account acc_1, attempt 2): https://x.com/a/status/9',
      ],
      [{ ...publish, postId: '9', note: 'Open the app.' }, 'Published on x (account acc_1, attempt 2): Open the app.'],
      [{ ...publish, postId: '9' }, 'Published on x (account acc_1, attempt 2): its id on the platform is 9.'],
    ],
    PublishDeferred: [
      [
        { ...publish, ...limited, retryAt: UNTIL },
        `Publishing on x (account acc_1, attempt 2) failed and will be retried at ${UNTIL}: Rate limit.`,
      ],
    ],
    AccountPublishFailed: [
      [{ ...publish, error: ' ', code: 'permanent' }, 'Publishing on x (account acc_1, attempt 2) failed.'],
      [
        { ...publish, ...limited, code: 'gave_up' },
        'Publishing on x (account acc_1, attempt 2) failed, with no retries left: Rate limit.',
      ],
      [
        { ...publish, error: 'Nobody can tell.', code: 'unknown' },
        'Publishing on x (account acc_1, attempt 2) may or may not have succeeded: Nobody can tell.',
      ],
    ],
    RetryRequested: [
      [{ platform: 'x', accountIds: ['acc_1'] }, 'A retry on x was requested for 1 account: acc_1.'],
      [
        { platform: 'x', accountIds: Array.from({ length: 12 }, (_, index) => `acc_${index}`) },
        `A retry on x was requested for 12 accounts: ${[...Array(10).keys()].map((index) => `acc_${index}`).join(', ')} and 2 more.`,
      ],
    ],
    PostFinished: [
      [
        { status: 'published', okCount: 1, total: 2, workspaceId: 'ws_1', results: {} },
        'Finished as published: 1 of 2 succeeded.',
      ],
    ],
  },
  feed: {
    FeedChanged: [
      [
        { workspaceId: 'ws_1', active: false, checkIntervalMinutes: 30 },
        'The feed was changed: paused, checked every 30 minutes.',
      ],
    ],
    FeedSeeded: [
      [
        { items: 1, newestAt: UNTIL, isWhole: true },
        `Items already in the feed were not posted: 1 item, the newest from ${UNTIL}.`,
      ],
    ],
  },
  rule: {
    CaptionRewritten: [
      [{ postId: 'post_1', ...written }, 'The AI rewrote the caption of post post_1 (gpt-5, 310 tokens).'],
      [
        { postId: 'post_1', platform: 'x', ...written },
        'The AI rewrote the caption for x of post post_1 (gpt-5, 310 tokens).',
      ],
    ],
  },
  reply: {
    ReplyOpened: [
      [
        { ...comment, commentText: 'Nice!', commentAuthor: 'Jane', source: 'automation' },
        'A reply to the comment by "Jane" on x (account acc_1) was started automatically: "Nice!".',
      ],
    ],
    DraftWritten: [
      [{ text: 'Thanks', ...written }, 'The AI wrote a draft (gpt-5, 310 tokens): "Thanks".'],
      [{ text: 'Thanks', provider: 'openai', model: 'gpt-5', prompt: '' }, 'The AI wrote a draft (gpt-5): "Thanks".'],
    ],
  },
  video: {
    VideoRequested: [[{ ...video, credits: 1 }, 'Requested for 1 credit, with 1 scene in 9:16.']],
    PartRendered: [
      [
        { part: 0, attempt: 1, file: 'a.mp4', mimeType: 'video/mp4', bytes: 9, durationMs: 5_040, model: 'sora-2' },
        'Finished scene 1 (attempt 1): created by sora-2, video/mp4, 9 bytes, 5 s.',
      ],
    ],
    PartFailed: [
      [
        { part: 'voiceover', attempt: 1, error: 'See https://example.com/help', code: 'timeout' },
        'Creating the voiceover (attempt 1) timed out: See https://example.com/help',
      ],
    ],
    VideoDeleted: [[{ files: false, workspaceId: 'ws_1', refund: 0 }, 'The video was deleted.']],
    VideoMediaExpired: [
      [
        { workspaceId: 'ws_1' },
        "The video's files were removed to make room for newer media in the workspace (MEDIA_STORE_MAX).",
      ],
    ],
  },
  credits: {
    CreditsCharged: [
      [
        { workspaceId: 'ws_1', amount: 3, balance: 7, videoId: 'vid_1', settings: video },
        'Charged 3 credits for video vid_1, 7 remain.',
      ],
    ],
    CreditsRefunded: [
      [
        { workspaceId: 'ws_1', amount: 1, balance: 1, videoId: 'vid_1', cause: 'failed' },
        'Refunded 1 credit for video vid_1 because it failed, 1 remains.',
      ],
    ],
  },
  delivery: {
    DeliverySucceeded: [[{ attempt: 1, statusCode: 200, durationMs: 35 }, 'Delivered (attempt 1, 35 ms): HTTP 200.']],
  },
  metrics: {
    MetricsCaptured: [
      [
        {
          ...look,
          publishedAt: UNTIL,
          slot: 0,
          mediaType: 'image',
          hashtags: [],
          metrics: { views: 12, pinClicks: 0 },
        },
        'Metrics for post post_1 on x (account acc_1) were read: views 12, pin clicks 0.',
      ],
    ],
  },
}

t.test('given ordinary events, when they are described, then the descriptions read well', async (t) => {
  for (const [category, sentences] of Object.entries(SENTENCES)) {
    for (const [type, samples] of Object.entries(sentences)) {
      const schema = streamKinds[category]?.events[type]
      for (const [data, line] of samples) {
        t.ok(schema?.safeParse(data).success, `${type} is an event as it is written`)
        t.equal(told(category, type, data), line)
      }
    }
  }
})

t.test('given a long text, when it is described, then it is cut at 100 characters, none of them in half', async (t) => {
  const drafted = (text: string) => told('reply', 'DraftEdited', { text })
  t.equal(drafted('😀'.repeat(100)), `The draft was edited: "${'😀'.repeat(100)}".`)
  t.equal(drafted('😀'.repeat(101)), `The draft was edited: "${'😀'.repeat(100)}…".`)
})

t.test('given a list with a long item, when it is described, then the item is cut at 50 characters', async (t) => {
  const line = told('post', 'RetryRequested', { platform: 'x', accountIds: ['a'.repeat(51), 'b'.repeat(50)] })
  t.equal(line, `A retry on x was requested for 2 accounts: ${'a'.repeat(50)}…, ${'b'.repeat(50)}.`)
})

t.test('given a long error, when it is described, then it is complete', async (t) => {
  const error = 'e'.repeat(2_000)
  t.equal(told('reply', 'DraftFailed', { error }), `Writing a draft failed: ${error}.`)
})

t.test(
  'given a text that ends with a quoted address, when it is described, then the sentence still ends',
  async (t) => {
    const line = told('reply', 'DraftEdited', { text: 'See https://example.com/a' })
    t.equal(line, 'The draft was edited: "See https://example.com/a".')
  },
)

t.test('given an unknown event, when it is described, then its type is shown', async (t) => {
  t.equal(told('post', 'PostFramed', {}), 'PostFramed', 'a type of a later version')
  t.equal(told('post', 'toString', {}), 'toString', 'a name that every object has')
  t.equal(told('reply', 'PostQueued', {}), 'PostQueued', "another kind's type")
  t.equal(told('poll', 'PollOpened', {}), 'PollOpened', 'another kind of stream')
})
