import { activateLanguage } from './parts/language.ts'
import { applyTheme, chosenTheme } from './parts/theme.ts'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/pages.css'
import './styles/home.css'
import './styles/compose.css'

applyTheme(chosenTheme())
await activateLanguage()
await import('./start.tsx')
