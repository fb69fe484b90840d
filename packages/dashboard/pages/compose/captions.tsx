import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Detail } from '../../client/api-error.ts'
import type { Preview } from '../../client/types.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field, Segments } from '../../parts/fields.tsx'
import type { Draft } from './draft.ts'
import { FieldProblems } from './field-problems.tsx'
import { TextLength } from './text-length.tsx'

const SHARED = 'all'
const SHARED_TEXT = /^(?:caption|parts\[0\]\.text)$/

/** The caption of all networks, and those that networks have of their own. */
export function Captions({
  draft: { selections, caption, overrides, parts },
  previews,
  problems,
  onChange,
  onOwn,
}: {
  readonly draft: Draft
  readonly previews: readonly Preview[]
  readonly problems: readonly Detail[]
  readonly onChange: (caption: string) => void
  readonly onOwn: (overrides: Draft['overrides']) => void
}) {
  const nameOf = usePlatformName()
  const [chosen, setChosen] = useState(SHARED)
  const platforms = Object.keys(selections)
  const own = platforms.filter((platform) => overrides[platform] !== undefined)
  const shown = own.includes(chosen) ? chosen : SHARED
  const isShared = shown === SHARED
  const write = (platform: string) => {
    if (!own.includes(platform)) onOwn({ ...overrides, [platform]: caption })
    setChosen(platform)
  }
  const share = () => {
    const { [shown]: _, ...others } = overrides
    onOwn(others)
  }
  return (
    <div className="stack captions">
      {own.length > 0 && (
        <Segments
          label={t`Which caption`}
          value={shown}
          options={[
            { value: SHARED, label: own.length < platforms.length ? t`All others` : t`All networks` },
            ...own.map((value) => ({ value, label: nameOf(value) })),
          ]}
          onChange={setChosen}
        />
      )}
      <Field
        key={shown}
        label={isShared ? t`Caption` : t`Caption on ${nameOf(shown)}`}
        rows={5}
        value={isShared ? caption : (overrides[shown] ?? '')}
        onChange={(text) => (isShared ? onChange(text) : onOwn({ ...overrides, [shown]: text }))}
        placeholder={isShared ? undefined : t`Same as the others`}
        autoFocus={!isShared}
      />
      <FieldProblems
        of={problems}
        at={isShared ? SHARED_TEXT : new RegExp(`^(?:captionOverrides|parts\\[0\\]\\.textOverrides)\\.${shown}$`)}
      />
      {platforms.length > 0 && (
        <ul className="counters" aria-label={t`Length on each network`}>
          {platforms.map((platform) => (
            <li key={platform}>
              <Button small look="quiet" onPress={() => write(platform)}>
                <TextLength platform={platform} of={previews.find((one) => one.platform === platform)?.textLength} />
                <span className="visually-hidden">
                  {own.includes(platform) ? t`Its own caption` : t`Write its own caption`}
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {platforms.length > 1 && own.length === 0 && (
        <p className="hint">
          <Trans>Press a network to write a caption for it alone.</Trans>
        </p>
      )}
      {!isShared && parts.length > 0 && (
        <p className="hint">
          <Trans>The parts that follow are the same on every platform.</Trans>
        </p>
      )}
      {!isShared && (
        <Actions>
          <Button small onPress={share}>
            <Trans>Use the same caption as the others</Trans>
          </Button>
        </Actions>
      )}
    </div>
  )
}
