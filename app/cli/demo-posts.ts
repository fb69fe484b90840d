import type { AnalyticsPlatform } from '../../domain/analytics/metrics.ts'
import type { PostType } from '../../domain/core/platform.ts'
import { isoTime } from '../../infra/runtime/clock.ts'

/** A post that a bakery might have published. */
export interface DemoPost {
  readonly caption: string
  readonly hashtags: readonly string[]
  readonly mediaType: Extract<PostType, 'text' | 'image' | 'video'>
  /** ISO 8601 UTC. */
  readonly publishedAt: string
  /** How many people it reaches on each network, as a share of the most. */
  readonly reach: Readonly<Partial<Record<AnalyticsPlatform, number>>>
}

interface Turn {
  /** 0 is Monday. */
  readonly day: number
  /** UTC. */
  readonly hour: number
  readonly type: DemoPost['mediaType']
  /** The week from which on it is taken: the bakery posts more and more. */
  readonly from: number
}

const DAY_MS = 86_400_000
const DAYS = 60
const WEEKS: readonly (readonly Turn[])[] = [
  [
    { day: 0, hour: 8, type: 'image', from: 3 },
    { day: 1, hour: 17, type: 'text', from: 0 },
    { day: 2, hour: 12, type: 'image', from: 2 },
    { day: 3, hour: 17, type: 'image', from: 0 },
    { day: 4, hour: 8, type: 'text', from: 5 },
    { day: 5, hour: 10, type: 'video', from: 0 },
    { day: 6, hour: 20, type: 'image', from: 4 },
  ],
  [
    { day: 0, hour: 12, type: 'text', from: 4 },
    { day: 1, hour: 8, type: 'image', from: 0 },
    { day: 2, hour: 17, type: 'image', from: 1 },
    { day: 3, hour: 12, type: 'text', from: 2 },
    { day: 4, hour: 17, type: 'image', from: 0 },
    { day: 5, hour: 10, type: 'video', from: 0 },
    { day: 6, hour: 20, type: 'text', from: 3 },
  ],
]
const NETWORKS: Readonly<Record<DemoPost['mediaType'], readonly AnalyticsPlatform[]>> = {
  text: ['x', 'bluesky'],
  image: ['x', 'bluesky', 'pinterest'],
  video: ['youtube', 'x'],
}
/** The hour (UTC) at which most people look, by network. */
const PEAKS: Readonly<Partial<Record<AnalyticsPlatform, number>>> = { x: 8, bluesky: 17, pinterest: 20, youtube: 11 }
const NOON = 12
/** How much of an audience each weekday has, from Monday. */
const WEEKDAYS = [0.9, 1.2, 1.1, 1.25, 0.95, 0.75, 0.85]
/** One post in so many goes round. */
const HIT_EVERY = 11
const HIT = 2.6

const CAPTIONS: Readonly<Record<DemoPost['mediaType'], readonly string[]>> = {
  text: [
    'Question for the early risers: rye or spelt?',
    'We open at seven tomorrow. The first ten get a warm roll.',
    'Twelve loaves left. First come, first served.',
    'A regular told us our bread survived a four-day hike. Best review so far.',
    'The flour price is up again. Our prices stay as they are until spring.',
    'What should we bake on Sunday? Tell us below.',
    'Closed on Monday for the new oven. Back on Tuesday, hotter than ever.',
    'Looking for an apprentice who does not mind four in the morning.',
    'Thank you for 500 followers. Cake is on us this Friday.',
    'Our sourdough starter turns nine today.',
    'Gluten-free Thursday is back.',
    'Somebody left an umbrella and half a croissant. We kept the umbrella.',
    'Last call for Christmas orders is in two weeks.',
    'We bake with the sun now: 40 panels on the roof.',
    'Which of our breads would you take to a desert island?',
    'Bread pudding recipe for yesterday’s loaf, in one sentence: more butter than you think.',
  ],
  image: [
    'Fresh from the oven.',
    'Cinnamon rolls, half an hour old.',
    'The new country loaf: 70 percent rye, 36 hours of rest.',
    'Saturday’s window.',
    'Seeded, scored, ready.',
    'Our baker’s hands after two hundred pretzels.',
    'Plum cake season is short. Today is in it.',
    'What 48 hours of patience look like.',
    'Olive and rosemary, only on Wednesdays.',
    'The oven is from 1962. It has opinions.',
    'Croissants: 27 layers, no shortcuts.',
    'Before and after.',
    'Lunch: focaccia, tomatoes, not much else.',
    'New in the basket: walnut baguettes.',
    'A birthday cake for somebody who turns ninety.',
    'Flour on everything, as it should be.',
    'The last three.',
    'Apple turnovers, and the orchard they came from.',
    'Our market stall, every Friday until two.',
    'Rainy day, warm shop.',
    'Proving baskets, waiting for night.',
    'Pretzels for the fire brigade.',
    'The crumb we hoped for.',
    'Spelt, oats, honey. Nothing else.',
    'A loaf for every table in the street.',
    'Sunday brioche, sliced while warm.',
    'The new labels are here.',
    'Six kinds of rolls, one favourite. Yours?',
  ],
  video: [
    'Shaping a country loaf in 40 seconds.',
    'A night in the bakery.',
    'How to score bread so that it opens.',
    'From grain to loaf.',
    'Folding croissant dough, slowly.',
    'Why we let dough rest for two days.',
    'Three mistakes everybody makes with sourdough.',
    'The oven opens.',
    'Meet Anna, who bakes while you sleep.',
  ],
}
const HASHTAGS = [['bread'], ['bakery', 'bread'], ['sourdough'], ['behindthescenes'], ['bakery'], []]

/** The posts of the last days, oldest first. Always the same for the same end. @param until ms since the epoch */
export function demoPosts(until: number): readonly DemoPost[] {
  const today = Math.floor(until / DAY_MS) * DAY_MS
  const taken = { text: 0, image: 0, video: 0 }
  const posts: DemoPost[] = []
  for (let past = DAYS; past > 0; past -= 1) {
    const week = Math.floor((DAYS - past) / 7)
    const start = today - past * DAY_MS
    const weekday = (new Date(start).getUTCDay() + 6) % 7
    const turn = WEEKS[week % WEEKS.length]?.find(({ day, from }) => day === weekday && from <= week)
    if (!turn) continue
    const { hour, type: mediaType } = turn
    const index = posts.length
    const captions = CAPTIONS[mediaType]
    const strength = (0.22 + 0.025 * week) * (WEEKDAYS[weekday] ?? 1) * (index % HIT_EVERY === HIT_EVERY - 4 ? HIT : 1)
    posts.push({
      caption: captions[taken[mediaType]++ % captions.length] ?? '',
      hashtags: HASHTAGS[index % HASHTAGS.length] ?? [],
      mediaType,
      publishedAt: isoTime(start + hour * 3_600_000 + ((index * 7) % 20) * 60_000),
      reach: Object.fromEntries(NETWORKS[mediaType].map((name) => [name, strength * attention(name, hour)])),
    })
  }
  return posts
}

function attention(network: AnalyticsPlatform, hour: number): number {
  return 0.5 + 0.7 * Math.exp(-(((hour - (PEAKS[network] ?? NOON)) / 5) ** 2))
}
