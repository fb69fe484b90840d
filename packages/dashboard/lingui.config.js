import { translations } from './words.js'

/** For `npm run words`, which finds the texts in the source. Without line numbers, which any change would change. */
export default {
  sourceLocale: 'en',
  locales: ['en', ...translations],
  catalogs: [{ path: '<rootDir>/words/{locale}', include: ['<rootDir>'], exclude: ['**/node_modules/**'] }],
  format: 'po',
  formatOptions: { origins: false, lineNumbers: false },
  orderBy: 'message',
}
