import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { answered, api } from '../../../client/client.ts'
import { pageAfter, useChange, useList } from '../../../client/queries.ts'
import type { Delivery } from '../../../client/types.ts'
import { Button } from '../../../parts/buttons.tsx'
import { Choice } from '../../../parts/fields.tsx'
import { List } from '../../../parts/list.tsx'
import { Card, Empty, Moment, Status } from '../../../parts/shown.tsx'
import { useUrlState } from '../../../parts/url-state.ts'

const STATES = [
  { value: '', label: t({ message: 'All', context: 'deliveries' }) },
  { value: 'pending', label: t`Pending` },
  { value: 'delivered', label: t`Delivered` },
  { value: 'failed', label: t`Failed` },
] as const
type State = (typeof STATES)[number]['value']

/** What was sent, the result of each attempt, and resending. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const [status, setStatus] = useUrlState<State>('status', '')
  const deliveries = useList(['delivery', webhookId, status], (cursor) =>
    answered(
      api.GET('/webhooks/{id}/deliveries', {
        params: { path: { id: webhookId }, query: { ...pageAfter(cursor), ...(status && { status }) } },
      }),
    ),
  )
  return (
    <Card
      title={t`Deliveries`}
      action={
        <Choice
          label={t`Which`}
          isLabelHidden
          value={status}
          options={STATES}
          onChange={(value) => setStatus(value as State)}
        />
      }
    >
      <List
        query={deliveries}
        items={(page) => page.deliveries}
        empty={
          <Empty title={t`No deliveries yet`}>
            <Trans>Deliveries appear here as events happen.</Trans>
          </Empty>
        }
      >
        {(items) => (
          <ul className="items">
            {items.map((delivery) => (
              <DeliveryItem key={delivery.id} webhookId={webhookId} delivery={delivery} />
            ))}
          </ul>
        )}
      </List>
    </Card>
  )
}

function DeliveryItem({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: Delivery }) {
  const { id, event, status, attempts, lastError, createdAt, nextAttemptAt, attemptLog } = delivery
  const resend = useChange({
    change: () =>
      answered(
        api.POST('/webhooks/{id}/deliveries/{deliveryId}/resend', {
          params: { path: { id: webhookId, deliveryId: id } },
        }),
      ),
    touches: ['delivery'],
    done: t`Sending it again.`,
  })
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong className="code">{event}</strong> <Status of={status} />
          <span className="hint">
            {nextAttemptAt ? (
              <Trans>
                <Moment at={createdAt} />, <Plural value={attempts} one="# attempt" other="# attempts" />, the next{' '}
                <Moment at={nextAttemptAt} short />
              </Trans>
            ) : (
              <Trans>
                <Moment at={createdAt} />, <Plural value={attempts} one="# attempt" other="# attempts" />
              </Trans>
            )}
          </span>
        </div>
        {lastError && <p className="said">{lastError}</p>}
        {attemptLog.length > 0 && (
          <details>
            <summary>
              <Trans>Attempts</Trans>
            </summary>
            <ol className="scenes">
              {attemptLog.map(({ at, statusCode, error, durationMs }) => (
                <li key={at}>
                  <Trans>
                    <Moment at={at} />: {{ result: statusCode ? `HTTP ${statusCode}` : (error ?? '') }} in {durationMs}{' '}
                    ms
                  </Trans>
                </li>
              ))}
            </ol>
          </details>
        )}
        <p className="hint code">{id}</p>
      </div>
      {status !== 'pending' && (
        <Button
          small
          aria-label={t`Resend ${id}`}
          isPending={resend.isPending}
          onPress={() => resend.mutate(undefined)}
        >
          <Trans>Resend</Trans>
        </Button>
      )}
    </li>
  )
}
