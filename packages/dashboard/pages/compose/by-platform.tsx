import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import type { Detail } from '../../client/api-error.ts'
import { usePlatforms } from '../../client/queries.ts'
import { Field } from '../../parts/fields.tsx'
import { isChain, type Draft } from './draft.ts'
import { FieldProblems, problemsAt } from './field-problems.tsx'
import { OptionFields } from './option-fields.tsx'

interface ByPlatformProps {
  readonly draft: Draft
  readonly problems: readonly Detail[]
  readonly set: <K extends keyof Draft>(name: K) => (value: Draft[K]) => void
}

/** What a post can have of its own on each platform. */
export function ByPlatform(props: ByPlatformProps) {
  return (
    <>
      {!isChain(props.draft) && <FirstComment {...props} />}
      <PlatformOptions {...props} />
    </>
  )
}

function PlatformOptions({ draft, problems, set }: ByPlatformProps) {
  const { data: platforms = [] } = usePlatforms()
  const chosen = platforms.filter(({ key, options }) => draft.selections[key] && Object.keys(options).length > 0)
  return chosen.map(({ key, name, options }) => {
    const value = draft.options[key] ?? {}
    const count = Object.keys(value).length
    const ids = draft.selections[key]?.join('|') ?? ''
    const at = new RegExp(`^(?:platformOptions\\.${key}|accountOptions\\.(?:${ids}))\\b`)
    return (
      <div key={key} className="stack">
        <Fold
          summary={
            count > 0 ? (
              <Trans>
                Options for {name} ({count} set)
              </Trans>
            ) : (
              <Trans>Options for {name}</Trans>
            )
          }
        >
          <OptionFields
            schemas={options}
            value={value}
            onChange={(next) => set('options')({ ...draft.options, [key]: next })}
          />
        </Fold>
        {problemsAt(problems, at).length > 0 && <FieldProblems of={problems} at={at} />}
      </div>
    )
  })
}

/** Renders what is in it only while it is open: options are many, and typing elsewhere would render them each time. */
function Fold({ summary, children }: { readonly summary: ReactNode; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && <div className="stack indented">{children}</div>}
    </details>
  )
}

function FirstComment({ draft, problems, set }: ByPlatformProps) {
  return (
    <details>
      <summary>
        <Trans>First comment</Trans>
      </summary>
      <div className="stack indented">
        <Field
          label={t`First comment`}
          rows={2}
          value={draft.firstComment}
          onChange={set('firstComment')}
          hint={t`On Facebook and Instagram. Other platforms have it among their options.`}
        />
        <FieldProblems of={problems} at={/^firstComment/} />
      </div>
    </details>
  )
}
