import * as z from 'zod'
import { text } from '../../domain/core/text.ts'
import { namedOptions } from '../kit/named-options.ts'
import { webUrl } from '../kit/web-url.ts'

const BUTTONS = ['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'CALL'] as const

const localTime = z.union([z.iso.date(), z.iso.datetime({ local: true, precision: -1 }).regex(/\d$/)], {
  error: 'must be a date such as 2026-12-24, or a local date and time such as 2026-12-24T18:00',
})

const callToAction = z
  .strictObject({
    type: z.enum(BUTTONS, { error: `must be one of ${BUTTONS.join(', ')}` }).describe('What the button says.'),
    url: webUrl
      .optional()
      .describe('Where it leads. Required, except for CALL, which calls the number of the location.'),
  })
  .refine(({ type, url }) => type === 'CALL' || url !== undefined, {
    path: ['url'],
    error: 'is required, unless type is CALL',
  })
  .refine(({ type, url }) => type !== 'CALL' || url === undefined, {
    path: ['url'],
    error: 'must be absent with type CALL, which calls the number of the location',
  })

const event = z
  .strictObject({
    // The limit of the form on business.google.com; the API documents none.
    title: text(58).min(1).describe('Title of the event or offer.'),
    start: localTime.describe(
      "When it starts, in the location's time: a date and time, or a date for its first minute.",
    ),
    end: localTime.describe('When it ends, alike. A date stands for its last minute.'),
  })
  .refine(({ start, end }) => startOf(start) <= endOf(end), { path: ['end'], error: 'must not be before start' })

const offer = z.strictObject({
  couponCode: text(100).min(1).optional().describe('Code that customers show or enter.'),
  redeemOnlineUrl: webUrl.optional().describe('Where customers redeem the offer online.'),
  termsConditions: text(5000).min(1).optional().describe('Terms and conditions.'),
})

/** What one local post has of its own. */
export const googlebusinessOptions = namedOptions({
  callToAction: callToAction.optional().describe('Button of the post. An offer has none.'),
  event: event.optional().describe('Makes the post an event.'),
  offer: offer.optional().describe('Makes the post an offer. Its title and dates are those of event.'),
}).refine((options) => options.offer === undefined || options.event !== undefined, {
  path: ['event'],
  error: 'is required with offer',
})
export type GooglebusinessOptions = z.infer<typeof googlebusinessOptions>

export type TopicType = 'STANDARD' | 'EVENT' | 'OFFER'

export function topicOf({ event, offer }: { readonly event?: unknown; readonly offer?: unknown } = {}): TopicType {
  if (offer !== undefined) return 'OFFER'
  return event === undefined ? 'STANDARD' : 'EVENT'
}

/** The fields of a LocalPost. Google ignores the button of an offer. */
export function fieldsOf({ callToAction: button, event: happening, offer: deal }: GooglebusinessOptions): object {
  return {
    topicType: topicOf({ event: happening, offer: deal }),
    ...(button && !deal && { callToAction: { actionType: button.type, ...(button.url && { url: button.url }) } }),
    ...(happening && { event: { title: happening.title, schedule: scheduleOf(happening) } }),
    ...(deal && { offer: deal }),
  }
}

/** Google takes a schedule only if it has all four. */
function scheduleOf({ start, end }: { readonly start: string; readonly end: string }): object {
  const [first, last] = [parts(startOf(start)), parts(endOf(end))]
  return { startDate: first.date, startTime: first.time, endDate: last.date, endTime: last.time }
}

function startOf(local: string): string {
  return local.includes('T') ? local : `${local}T00:00`
}

function endOf(local: string): string {
  return local.includes('T') ? local : `${local}T23:59`
}

function parts(local: string) {
  const [year, month, day, hours, minutes] = local.split(/\D/).map(Number)
  return { date: { year, month, day }, time: { hours, minutes } }
}
