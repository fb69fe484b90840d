import { setupI18n } from '@lingui/core'

/** The texts of the page, which the build replaces each `t` with. English, until `language.ts` activates another language. */
export const i18n = setupI18n({ locale: 'en', messages: { en: {} } })

/** How the user writes dates and numbers; absent: as the browser does. */
export const locale = () => i18n.locales as string | undefined
