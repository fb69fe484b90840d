import fc from 'fast-check'
import { DateTime } from 'luxon'
import t from 'tap'
import { slotOf, type Times } from '../domain/notification/schedule.ts'
import { sentenceOf, titleOf, TOPICS, type Notice, type Topic } from '../domain/notification/topic.ts'
import { channelOfToken, channelToken } from '../infra/runtime/channel-token.ts'
import { discord } from '../reactors/notifications/channels/discord.ts'
import { ntfy } from '../reactors/notifications/channels/ntfy.ts'
import { slack } from '../reactors/notifications/channels/slack.ts'
import { telegram } from '../reactors/notifications/channels/telegram.ts'
import { messageOf, type Message } from '../reactors/notifications/message.ts'

/* When notifications are sent, and how they are written. */

const AT = Date.UTC(2026, 10, 29, 12)
const MINUTE = 60_000
const plain: Times = { timezone: 'Europe/Berlin', quietHours: null, digestAt: null }
const failed = { topic: 'post.failed' } as const
const time = fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((n) => String(n).padStart(2, '0')).join(':'))
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland')
const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) })
const timeIn = (timezone: string, at: number) => DateTime.fromMillis(at, { zone: timezone }).toFormat('HH:mm')

t.test('given notices of one topic within a window, then they share a message, and later ones the next', async (t) => {
  const [first, second] = [slotOf(plain, failed, AT + 1), slotOf(plain, failed, AT + 14 * MINUTE)]
  t.equal(first.key, second.key)
  t.equal(first.dueAt, AT + 1 + 15_000)
  t.equal(first.againAt, AT + 15 * MINUTE)
  t.not(slotOf(plain, failed, AT + 15 * MINUTE).key, first.key)
  t.not(slotOf(plain, { topic: 'feed.failing' }, AT + 1).key, first.key)
})

t.test(
  'given quiet hours in any zone, then nothing is due within them, and all of a night is one message',
  async (t) => {
    fc.assert(
      fc.property(zone, time, time, moment, (timezone, from, to, at) => {
        fc.pre(from !== to)
        const slot = slotOf({ ...plain, timezone, quietHours: { from, to } }, failed, at)
        const due = timeIn(timezone, slot.dueAt)
        const isQuiet = from <= to ? from <= due && due < to : from <= due || due < to
        // A time that is skipped when clocks go forward is the exception: nothing can be due at it.
        if (isQuiet)
          return (
            DateTime.fromMillis(slot.dueAt, { zone: timezone }).offset !==
            DateTime.fromMillis(at, { zone: timezone }).offset
          )
        return slot.dueAt >= at + 15_000 && slot.dueAt <= at + 26 * 60 * MINUTE && slot.againAt >= slot.dueAt
      }),
    )
    const night: Times = { ...plain, quietHours: { from: '22:00', to: '07:00' } }
    const evening = Date.UTC(2026, 10, 29, 22)
    const keys = [0, 120, 400].map((minutes) => slotOf(night, failed, evening + minutes * MINUTE).key)
    t.equal(new Set(keys).size, 1)
    t.equal(slotOf(night, { topic: 'feed.failing' }, evening).key, keys[0])
    t.equal(slotOf(night, failed, evening).dueAt, Date.UTC(2026, 10, 30, 6))
    t.equal(slotOf(night, { topic: 'test' }, evening).dueAt, evening, 'a test is sent at once')
    t.pass()
  },
)

t.test('given a digest, then everything of a day is one message at its time', async (t) => {
  fc.assert(
    fc.property(zone, time, moment, (timezone, digestAt, at) => {
      const slot = slotOf({ ...plain, timezone, digestAt }, failed, at)
      const isLater = slot.dueAt > at && slot.dueAt <= at + 26 * 60 * MINUTE
      const same = slotOf({ ...plain, timezone, digestAt }, { topic: 'feed.failing' }, at)
      return isLater && same.key === slot.key
    }),
  )
  t.equal(slotOf({ ...plain, digestAt: '08:00' }, failed, AT).dueAt, Date.UTC(2026, 10, 30, 7))
})

const ABOUT: Readonly<Record<Topic, string>> = {
  ...{ 'post.failed': 'post_1', 'post.partially_failed': 'post_1', 'account.needs_reauth': 'acc_1' },
  ...{ 'account.expiring': 'acc_1', 'reply.to_review': 'rep_1', 'approval.requested': 'post_1' },
  ...{ 'approval.decided': 'post_1', 'post.held': 'post_1', 'feed.failing': 'feed_1', 'webhook.failing': 'wh_1' },
  'budget.reached': 'acc_1',
}
const notices: readonly Notice[] = TOPICS.map((topic, n) => ({
  ...{ id: `${n}`, topic, about: ABOUT[topic] },
  ...{ platform: 'x', error: 'The token <has> *expired* & @everyone.', okCount: 1, total: 2 },
}))
const known = { label: 'Shop', scheduled: 3 }
const message = messageOf('ntf_1', { workspace: 'Bakery', notices, hasMore: false }, () => known, 'https://fan.test/')

t.test('given a notice of each topic, then each is a sentence with its page', async (t) => {
  t.same(
    message.lines.map(({ url }) => url.replace('https://fan.test', '')),
    [
      ...['/posts/post_1', '/posts/post_1', '/accounts', '/accounts', '/inbox'],
      ...['/posts/post_1', '/posts/post_1', '/posts/post_1', '/feeds', '/settings/webhooks/wh_1'],
      '/accounts',
    ],
  )
  const [, , lost] = notices
  t.match(
    lost && sentenceOf(lost, known),
    /^The account Shop on X must be connected again: .* Scheduled posts that depend on it: 3\.$/,
  )
  t.match(lost && sentenceOf(lost), /^An account on X must be connected again: /)
  t.equal(titleOf(notices.slice(0, 1)), 'A post failed')
  t.equal(message.title, '11 notifications (Bakery)')
})

t.test('given a message, then each channel gets it in its own form', async (t) => {
  const url = 'https://chat.test/hook?thread_id=7'
  const { text } = slack({ url }, message).body as { text: string }
  t.match(text, 'The token &lt;has&gt; *expired* &amp; @everyone.')
  t.match(text, '<https://fan.test/accounts|Open>')
  const toDiscord = discord({ url }, message)
  t.equal(toDiscord.url, 'https://chat.test/hook?thread_id=7&wait=true')
  t.match(toDiscord.body, { allowed_mentions: { parse: [] }, flags: 4, content: '\\*expired\\*' })
  t.match(telegram({ url: 'https://api.telegram.org/', botToken: '1:a', chat: '-100' }, message), {
    url: 'https://api.telegram.org/bot1:a/sendMessage',
    body: { chat_id: '-100', text: '*expired* & @everyone' },
  })
  const toNtfy = ntfy({ url: 'https://ntfy.test/topic', token: 'tk_1' }, message)
  t.match(toNtfy, {
    ...{ url: 'https://ntfy.test', headers: { authorization: 'Bearer tk_1' } },
    body: { topic: 'topic', title: '11 notifications (Bakery)', click: 'https://fan.test/posts/post_1' },
  })
})

t.test('given any texts, then no message is longer than its channel takes', async (t) => {
  const line = fc.record({
    text: fc.string({ unit: 'grapheme', maxLength: 700 }),
    url: fc.constant('https://fan.test/a'),
  })
  const any = fc.array(line, { minLength: 1, maxLength: 20 }).map((lines): Message => ({ ...message, lines }))
  const url = 'https://chat.test/hook'
  fc.assert(
    fc.property(any, (given) => {
      const { content } = discord({ url }, given).body as { content: string }
      const { text } = telegram({ url, botToken: '1:a', chat: '1' }, given).body as { text: string }
      const { message: body } = ntfy({ url }, given).body as { message: string }
      return content.length <= 2_000 && text.length <= 4_096 && Buffer.byteLength(body) <= 4_096
    }),
  )
  t.pass()
})

t.test('given the token of a channel, then only that token names it', async (t) => {
  const secret = Buffer.alloc(32, 1)
  const token = channelToken(secret, 'chn_1')
  t.equal(channelOfToken(secret, token), 'chn_1')
  for (const other of ['', 'chn_1', 'chn_1-', token.slice(0, -1), token.replace('chn_1', 'chn_2'), `${token}0`]) {
    t.equal(channelOfToken(secret, other), undefined)
  }
  t.equal(channelOfToken(Buffer.alloc(32, 2), token), undefined)
})
