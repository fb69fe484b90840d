import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Choice } from '../../parts/fields.tsx'
import { LanguageChoice } from '../../parts/language-choice.tsx'
import { Page } from '../../parts/page.tsx'
import { Card } from '../../parts/shown.tsx'
import { chosenTheme, keepTheme, THEMES, type Theme } from '../../parts/theme.ts'

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: t`System`, light: t`Light`, dark: t`Dark` }

export default function Appearance() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Page title={t`Language and theme`} intro={t`For you, in this browser.`}>
      <Card>
        <div className="stack narrow">
          <LanguageChoice />
          <Choice
            label={t`Theme`}
            value={theme}
            options={THEMES.map((value) => ({ value, label: THEME_NAMES[value] }))}
            onChange={(value) => {
              setTheme(value as Theme)
              keepTheme(value as Theme)
            }}
          />
        </div>
      </Card>
    </Page>
  )
}
