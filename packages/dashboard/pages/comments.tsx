import { answered, api } from '../client/client.ts'
import { pageAfter, useChange, useList, usePlatforms } from '../client/queries.ts'
import type { ReplyBody } from '../client/types.ts'
import { Button } from '../parts/buttons.tsx'
import { Choice } from '../parts/fields.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty } from '../parts/shown.tsx'
import { useUrlState } from '../parts/url-state.ts'
import { CommentItem } from './comments/comment-item.tsx'

const STATES = [
  { value: 'open', label: 'To reply to' },
  { value: 'all', label: 'All' },
] as const
type State = (typeof STATES)[number]['value']

export default function Comments() {
  const [show, setShow] = useUrlState<State>('show', 'open')
  const [platform, setPlatform] = useUrlState<string>('platform', '')
  const { data: platforms = [] } = usePlatforms()
  const query = {
    ...(show === 'open' && { replied: false, dismissed: false }),
    ...(platform && { platform: platform as ReplyBody['platform'] }),
  }
  const comments = useList(['comment', 'list', query], (cursor) =>
    answered(api.GET('/comments', { params: { query: { ...pageAfter(cursor), ...query } } })),
  )
  const look = useChange({
    change: () => answered(api.POST('/comments/check-now', { body: {} })),
    touches: ['comment'],
    done: ({ accounts }) =>
      `Checking ${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'} for new comments.`,
  })
  const spoken = platforms.filter(({ conversation }) => conversation)
  return (
    <Page
      title="Comments"
      intro="Comments and mentions of the last 7 days."
      actions={
        <Button isPending={look.isPending} onPress={() => look.mutate(undefined)}>
          Check now
        </Button>
      }
    >
      <div className="filters">
        <Choice label="Show" value={show} options={STATES} onChange={(value) => setShow(value as State)} />
        <Choice
          label="Platform"
          value={platform}
          options={[
            { value: '', label: 'All platforms' },
            ...spoken.map(({ key, name }) => ({ value: key, label: name })),
          ]}
          onChange={setPlatform}
        />
      </div>
      <Card>
        <ItemList
          query={comments}
          items={(page) => page.comments}
          empty={<Empty title="No comments to reply to">New comments and mentions appear here automatically.</Empty>}
        >
          {(comment) => <CommentItem key={`${comment.accountId} ${comment.id}`} comment={comment} />}
        </ItemList>
      </Card>
    </Page>
  )
}
