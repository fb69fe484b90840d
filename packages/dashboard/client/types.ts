import type { paths } from '../../client/api.ts'

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never
type Asked<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

type Returned<Path extends keyof paths> = paths[Path] extends {
  post: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

type Changed<Path extends keyof paths> = paths[Path] extends {
  patch: { requestBody?: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

export type Accounts = Answer<'/accounts'>['accounts']
export type Account = Accounts[string][number]
export type Destination = Answer<'/accounts/{id}/destinations'>['destinations'][number]
export type Post = Answer<'/posts'>['posts'][number]
export type PostsQuery = NonNullable<paths['/posts']['get']['parameters']['query']>
export type PostResult = Post['publishResults'][string][number]
export type WaitingAccount = Post['waiting'][string][number]
export type ScheduledPost = Answer<'/scheduled-posts'>['scheduledPosts'][number]
export type Approval = Answer<'/approvals'>['approvals'][number]
export type ApprovalPolicy = Omit<Answer<'/approval-policy'>, 'requestId'>
export type SlotPlan = Omit<Answer<'/slots'>, 'requestId'>
export type SavedDraft = Answer<'/drafts'>['drafts'][number]
export type TimelineEvent = Answer<'/posts/{id}/events'>['events'][number]
export type User = Answer<'/users'>['users'][number]
export type Invitation = Answer<'/invitations'>['invitations'][number]
export type InviteBody = Asked<'/invitations'>
export type ActivityEntry = Answer<'/activity'>['activity'][number]
export type ActivityKind = ActivityEntry['kind']
export type ActivityQuery = NonNullable<paths['/activity']['get']['parameters']['query']>
export type Reply = Answer<'/replies/pending'>['replies'][number]
export type CommentsQuery = NonNullable<paths['/comments']['get']['parameters']['query']>
export type Comment = Answer<'/comments'>['comments'][number]
export type Video = Answer<'/videos'>['videos'][number]
export type LedgerEntry = Answer<'/credits/ledger'>['entries'][number]
export type Webhook = Answer<'/webhooks'>['webhooks'][number]
export type WebhookEvent = Webhook['events'][number]
export type Delivery = Answer<'/webhooks/{id}/deliveries'>['deliveries'][number]
type SharedChannel = Answer<'/notification-channels'>['channels'][number]
/** Only a user's own are browsers. */
export type Channel = Omit<SharedChannel, 'kind'> & { readonly kind: SharedChannel['kind'] | 'push' }
export type ChannelBody = Asked<'/notification-channels'>
export type Erasure = Answer<'/erasures'>['erasures'][number]
export type ErasureBody = Asked<'/erasures'>
export type ErasurePreview = Pick<Erasure, 'comments' | 'replies' | 'deliveries'>
export type Feed = Answer<'/rss-feeds'>['feeds'][number]
export type ImportedRow = Returned<'/scheduled-posts/import'>['rows'][number]
export type Forecast = Answer<'/forecast'>
export type ForecastEntry = Forecast['entries'][number]
export type Rule = Answer<'/recycling-rules'>['rules'][number]
export type RankedPost = Answer<'/analytics/top-posts'>['posts'][number]
export type Summary = Answer<'/analytics/summary'>
export type DayNumbers = Answer<'/analytics/daily'>['daily'][number]
export type HourNumbers = Answer<'/analytics/hours'>['hours'][number]
export type SummaryQuery = NonNullable<paths['/analytics/summary']['get']['parameters']['query']>
export type Competitor = Answer<'/analytics/competitors'>['competitors'][number]
/** The body of a reply to a comment; its platforms are those that support replies. */
export type ReplyBody = Asked<'/comments/reply'>
export type PostBody = Asked<'/posts'>
/** What would be published to one account. */
export type Preview = Returned<'/posts/preview'>['previews'][number]
export type ChainBody = Asked<'/posts/chain'>
export type EditBody = Changed<'/scheduled-posts/{id}'>
export type DraftBody = Changed<'/drafts/{id}'>
export type Media = Answer<'/media'>['media'][number]
export type MediaType = Media['mediaType']
export type UploadBody = Asked<'/uploads'>
export type VideoBody = Asked<'/videos'>
export type Selections = PostBody['selections']

export interface Page {
  readonly nextCursor: string | null
}
