import { t } from '@lingui/core/macro'
import { Choice, Field, Segments } from '../../parts/fields.tsx'
import { ZONES } from '../../parts/time.ts'
import type { Draft } from './draft.ts'
import { NextSlot } from './next-slot.tsx'

const TIMES = [
  { value: 'slot', label: t`Next free slot` },
  { value: 'later', label: t`Later` },
] as const

/** When a post is to be published. */
export function WhenField({
  draft,
  now,
  postId,
  set,
}: {
  readonly draft: Draft
  /** What the choice of no time is called; absent: it must have one. */
  readonly now: string | undefined
  /** The post, if it is scheduled already. */
  readonly postId: string | undefined
  readonly set: <K extends keyof Draft>(name: K) => (value: Draft[K]) => void
}) {
  return (
    <div className="stack">
      <Segments
        label={t`When to publish`}
        value={draft.when}
        options={now === undefined ? TIMES : [{ value: 'now', label: now }, ...TIMES]}
        onChange={set('when')}
      />
      {draft.when === 'slot' && <NextSlot selections={draft.selections} postId={postId} />}
      {draft.when === 'later' && (
        <div className="row">
          <Field label={t`Date`} type="date" value={draft.date} onChange={set('date')} isRequired />
          <Field label={t`Time`} type="time" value={draft.time} onChange={set('time')} isRequired />
          <Choice label={t`Time zone`} value={draft.timezone} options={ZONES} onChange={set('timezone')} />
        </div>
      )}
    </div>
  )
}
