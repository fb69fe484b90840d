import * as z from 'zod'

const webUrl = z.url({ protocol: /^https?$/ })

const date = z.strictObject({
  year: z.int().min(1).max(9999),
  month: z.int().min(1).max(12),
  day: z.int().min(1).max(31),
})
const timeOfDay = z.strictObject({
  hours: z.int().min(0).max(24),
  minutes: z.int().min(0).max(59),
  seconds: z.int().min(0).max(59).optional(),
  nanos: z.int().min(0).optional(),
})

/** "It must contain all fields to be valid." */
const schedule = z
  .strictObject({ startDate: date, startTime: timeOfDay, endDate: date, endTime: timeOfDay })
  .refine((each) => sortable(each.startDate, each.startTime) <= sortable(each.endDate, each.endTime), {
    error: 'ends before it starts',
  })

const callToAction = z
  .strictObject({
    actionType: z.enum(['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'CALL']),
    url: webUrl.optional(),
  })
  .refine(({ actionType, url }) => (actionType === 'CALL') === (url === undefined), {
    path: ['url'],
    error: 'required, and left unset for CALL',
  })

const summary = z.string().max(1500)
/** The body of `PATCH localPosts/{id}` with this mask. */
export const summaryEdit = z.strictObject({ summary: summary.optional() })

/** The body of `POST localPosts`, without the fields that Fanfare does not use. */
export const newPost = z
  .strictObject({
    languageCode: z
      .string()
      .regex(/^[a-z]{2,3}(-\w+)*$/i)
      .optional(),
    summary: summary.optional(),
    topicType: z.enum(['STANDARD', 'EVENT', 'OFFER']),
    callToAction: callToAction.optional(),
    event: z.strictObject({ title: z.string().min(1), schedule }).optional(),
    offer: z
      .strictObject({
        couponCode: z.string().optional(),
        redeemOnlineUrl: webUrl.optional(),
        termsConditions: z.string().optional(),
      })
      .optional(),
    media: z.array(z.strictObject({ mediaFormat: z.enum(['PHOTO', 'VIDEO']), sourceUrl: webUrl })).length(1),
  })
  .refine(({ topicType, event }) => (topicType === 'STANDARD') === (event === undefined), {
    path: ['event'],
    error: 'required for topic types EVENT and OFFER',
  })
  .refine(({ topicType, offer }) => topicType === 'OFFER' || offer === undefined, {
    path: ['offer'],
    error: 'should only be set when the topicType is OFFER',
  })

function sortable({ year, month, day }: z.infer<typeof date>, { hours, minutes }: z.infer<typeof timeOfDay>): number {
  return Date.UTC(year, month - 1, day, hours, minutes)
}
