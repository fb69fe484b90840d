import { Trans } from '@lingui/react/macro'
import { Moment } from '../../parts/shown.tsx'

/** When something that failed is tried again, and why it failed. */
export function NextAttempt(props: { readonly at: string | undefined; readonly error: string | undefined }) {
  return (
    <>
      {props.at && (
        <>
          {' '}
          <Trans>
            The next attempt is at <Moment at={props.at} />.
          </Trans>
        </>
      )}{' '}
      {props.error}
    </>
  )
}
