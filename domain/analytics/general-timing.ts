import type { Weekday, WeekHour } from './best-times.ts'
import type { MediaType } from '../core/platform.ts'

/**
 * Findings of studies across many channels, for a channel with too little history. Times are in the audience's time zone.
 * `docs/analytics.md` lists the sources.
 */
export const GENERAL_TIMING: {
  readonly times: readonly WeekHour[]
  readonly weekdays: readonly Weekday[]
  readonly formats: readonly MediaType[]
  readonly postsPerWeek: number
  readonly guidance: readonly string[]
} = {
  times: [
    { weekday: 'tuesday', hour: 10 },
    { weekday: 'wednesday', hour: 10 },
    { weekday: 'thursday', hour: 10 },
  ],
  weekdays: ['tuesday', 'wednesday', 'thursday'],
  formats: ['video', 'image'],
  postsPerWeek: 5,
  guidance: [
    'This channel has too few posts for its own advice. This is what works for most channels.',
    'Post around 10 a.m. on Tuesday, Wednesday or Thursday. Weekends perform worse.',
    'Post three to seven times a week, steadily rather than all at once.',
    'Try both videos and images at different hours, so that you can compare them.',
  ],
}
