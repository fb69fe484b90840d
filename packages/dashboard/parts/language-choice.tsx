import { t } from '@lingui/core/macro'
import { Choice } from './fields.tsx'
import { chosenLanguage, keepLanguage, LANGUAGES } from './language.ts'

export function LanguageChoice({ isLabelHidden = false }: { readonly isLabelHidden?: boolean }) {
  return (
    <Choice
      label={t`Language`}
      isLabelHidden={isLabelHidden}
      value={chosenLanguage()}
      options={LANGUAGES}
      onChange={keepLanguage}
    />
  )
}
