import { usePlatforms } from '../../client/queries.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Field } from '../../parts/fields.tsx'
import { isChain, type Draft } from './draft.ts'
import { OptionFields } from './option-fields.tsx'

interface ByPlatformProps {
  readonly draft: Draft
  readonly set: <K extends keyof Draft>(name: K) => (value: Draft[K]) => void
}

/** What a post can have of its own on each platform. */
export function ByPlatform(props: ByPlatformProps) {
  return (
    <>
      <Captions {...props} />
      <PlatformOptions {...props} />
    </>
  )
}

function PlatformOptions({ draft, set }: ByPlatformProps) {
  const { data: platforms = [] } = usePlatforms()
  const chosen = platforms.filter(({ key, options }) => draft.selections[key] && Object.keys(options).length > 0)
  return chosen.map(({ key, name, options }) => {
    const value = draft.options[key] ?? {}
    const count = Object.keys(value).length
    return (
      <details key={key}>
        <summary>
          Options for {name}
          {count > 0 && ` (${count} set)`}
        </summary>
        <div className="stack indented">
          <OptionFields
            schemas={options}
            value={value}
            onChange={(next) => set('options')({ ...draft.options, [key]: next })}
          />
        </div>
      </details>
    )
  })
}

/** The captions, and the first comment of a post with media. */
function Captions({ draft, set }: ByPlatformProps) {
  const nameOf = usePlatformName()
  const hasComment = !isChain(draft)
  return (
    <details>
      <summary>{hasComment ? 'Captions by platform, and a first comment' : 'Captions by platform'}</summary>
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
        {hasComment && (
          <Field
            label="First comment"
            rows={2}
            value={draft.firstComment}
            onChange={set('firstComment')}
            hint="On Facebook and Instagram. Other platforms have it among their options."
          />
        )}
        {draft.parts.length > 0 && <p className="hint">The parts that follow are the same on every platform.</p>}
      </div>
    </details>
  )
}
