import { usePlatformName } from '../../parts/accounts.tsx'
import { Field } from '../../parts/fields.tsx'
import { isChain, type Draft } from './draft.ts'

/** What a post with media can have of its own on each platform, and its first comment. */
export function ByPlatform({
  draft,
  set,
}: {
  readonly draft: Draft
  readonly set: <K extends keyof Draft>(name: K) => (value: Draft[K]) => void
}) {
  const nameOf = usePlatformName()
  if (isChain(draft)) {
    return <p className="hint">Without media, or with replies, the text is the same on every platform.</p>
  }
  return (
    <details>
      <summary>Captions by platform, and a first comment</summary>
      <div className="stack indented">
        {Object.keys(draft.selections).map((platform) => (
          <Field
            key={platform}
            label={`Caption on ${nameOf(platform)}`}
            rows={3}
            value={draft.overrides[platform] ?? ''}
            onChange={(text) => set('overrides')({ ...draft.overrides, [platform]: text })}
            placeholder="Same as above"
          />
        ))}
        <Field
          label="First comment"
          rows={2}
          value={draft.firstComment}
          onChange={set('firstComment')}
          hint="On Facebook and Instagram."
        />
      </div>
    </details>
  )
}
