import { t } from '@lingui/core/macro'
import type { Preview } from '../../client/types.ts'
import { PlatformIcon } from '../../parts/platform-icon.tsx'

function lengthOf({ length, limit, unit }: NonNullable<Preview['textLength']>): string {
  return unit === 'bytes' ? t`${length}/${limit} bytes` : `${length}/${limit}`
}

/** How long a text is in a network's own counting. */
export function TextLength({ platform, of }: { readonly platform: string; readonly of: Preview['textLength'] }) {
  const isOver = of && of.length > of.limit
  return (
    <>
      <PlatformIcon of={platform} />
      <span className={isOver ? 'counter over' : 'counter'}>{of ? lengthOf(of) : '–'}</span>
    </>
  )
}
