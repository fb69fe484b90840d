/** The languages other than English, made by the build from `words/`. */
declare module 'catalogues' {
  import type { Messages } from '@lingui/core'
  export const catalogues: Readonly<
    Record<string, () => Promise<{ readonly messages: Messages; readonly components: object | undefined }>>
  >
}
