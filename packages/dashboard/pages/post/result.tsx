import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { Post, PostResult, WaitingAccount } from '../../client/types.ts'
import { AccountName, PlatformName, usePlatformName } from '../../parts/accounts.tsx'
import { Button } from '../../parts/buttons.tsx'
import { Moment, resultStatus, Status, Thumb } from '../../parts/shown.tsx'
import { Edited } from './edit-published.tsx'
import { Numbers } from './numbers.tsx'
import { isPublished, Unpublish, Unpublished } from './unpublish.tsx'

/** What became of a post on the accounts of a platform, and what went out there. */
export function Result({
  post,
  platform,
  accounts,
}: {
  readonly post: Post
  readonly platform: string
  readonly accounts: readonly string[]
}) {
  const nameOf = usePlatformName()
  const results = post.publishResults[platform] ?? []
  const waiting = accounts.filter((id) => !results.some(({ accountId }) => accountId === id))
  const hasFailed = results.some(({ ok, accountId }) => !ok && accountId !== undefined)
  const waitingAs = (id: string | undefined) => post.waiting[platform]?.find(({ accountId }) => accountId === id)
  const retry = useChange({
    change: () =>
      answered(
        api.POST('/posts/{id}/retry', {
          params: { path: { id: post.id }, ...named(attemptName()) },
          body: { platform },
        }),
      ),
    touches: ['post'],
    done: t`Retrying on ${nameOf(platform)}.`,
  })
  return (
    <li>
      <div className="item-body">
        <h3>
          <PlatformName of={platform} />
        </h3>
        {results.map((result, index) => (
          <div key={result.accountId ?? index} className="result">
            <div className="item-line">
              <Status of={resultStatus(result)} />
              <span>
                <AccountName of={result.accountId} />
              </span>
              {result.ok ? (
                result.url &&
                resultStatus(result) !== 'unpublished' && (
                  <a href={result.url} target="_blank" rel="noreferrer">
                    <Trans>View on {nameOf(platform)}</Trans>
                  </a>
                )
              ) : (
                <span className="said">{result.error}</span>
              )}
              {isPublished(result) && <Unpublished result={result} />}
              <Edited result={result} />
              {result.ok && result.note && <span className="said">{result.note}</span>}
              {result.ok && !result.firstComment && <WaitingFor item={waitingAs(result.accountId)} />}
            </div>
            {result.ok && <Published result={result} />}
            {result.ok && <Numbers post={post} platform={platform} accountId={result.accountId} />}
          </div>
        ))}
        {post.status === 'processing' &&
          waiting.map((id) => (
            <div key={id} className="item-line">
              <Status of="processing" /> <AccountName of={id} />
              <WaitingFor item={waitingAs(id)} />
            </div>
          ))}
      </div>
      {hasFailed && (
        <Button small isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
          <Trans>Retry on {nameOf(platform)}</Trans>
        </Button>
      )}
      {post.status !== 'processing' && <Unpublish post={post} platform={platform} />}
    </li>
  )
}

/** What the account got: of a chain, all parts. */
function Published({ result }: { readonly result: Extract<PostResult, { ok: true }> }) {
  const { firstComment } = result
  const parts = result.parts ?? [result]
  return (
    <>
      {parts.map(({ text, media = [] }, index) => (
        <div key={index} className="sent">
          {media.map(({ url, type }, item) => (
            <Thumb key={item} url={url} type={type} />
          ))}
          {text && <p className="text">{text}</p>}
        </div>
      ))}
      {firstComment?.text && (
        <p className="text first-comment">
          <span className="hint">
            <Trans>First comment</Trans>
          </span>{' '}
          {firstComment.text}
        </p>
      )}
      {firstComment && !firstComment.ok && (
        <p className="said">
          <Trans>The first comment failed: {firstComment.error}</Trans>
        </p>
      )}
    </>
  )
}

/** Why an account has no result yet, and when it will be tried again. */
function WaitingFor({ item }: { readonly item: WaitingAccount | undefined }) {
  if (!item) return null
  const { reason, since, error, nextAttemptAt, until } = item
  const next = nextAttemptAt && <Moment at={nextAttemptAt} />
  return (
    <span className="said">
      {reason === 'retry' && (
        <>
          <Trans>The last attempt failed. The next one is at {next}.</Trans>
        </>
      )}
      {reason === 'first_comment' && (
        <>
          <Trans>The first comment failed. The next attempt is at {next}.</Trans>
        </>
      )}
      {reason === 'processing' && (
        <>
          <Trans>
            The platform has been processing it since <Moment at={since} />.
          </Trans>
        </>
      )}
      {reason === 'outcome' && (
        <>
          {until ? (
            <Trans>
              The response was lost. Fanfare checks the platform for the post before sending it again, until{' '}
              <Moment at={until} /> at most.
            </Trans>
          ) : (
            <Trans>The response was lost. Fanfare checks the platform for the post before sending it again.</Trans>
          )}
        </>
      )}{' '}
      {error}
    </span>
  )
}
