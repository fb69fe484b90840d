import { defineConfig, globalIgnores } from 'eslint/config'
import lingui from 'eslint-plugin-lingui'
import reactHooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import { architecture } from './eslint.architecture.js'

/** What is not for a reader: every other text of the dashboard belongs in its catalogue. */
const NOT_SHOWN = {
  // The name, which is never translated; words without a capital letter: keys, events; paths, patterns and times.
  ignore: [
    '^\\s*(· )?Fanfare\\s*$',
    '^[a-z0-9.:/?#=&*_@%+-][\\w.:/?#=&*@%+…-]*$',
    '^[/^{]',
    '^T[\\d:]*Z?$',
    '^ ?UTC$',
    '^[\\d ]+px\\b',
    '^bytes ',
  ],
  ignoreNames: ['className', 'placement', { regex: { pattern: '^[A-Z][A-Z0-9_]*$' } }],
  ignoreFunctions: [
    ...['Error', 'Date', 'RegExp', 'Intl.*', 'document.*', 'window.*', 'localStorage.*'],
    ...[
      '*.headers.set',
      '*.includes',
      '*.querySelector*',
      '*.replace',
      'ask',
      'fetch',
      'letters',
      'navigate',
      'saveCsv',
    ],
  ],
}
/**
 * Paths are relative to the root of the checkout, the working directory of `npm run check`. The rules that need types are in
 * `.oxlintrc.json`: they take a sixth of the time there.
 */
export default defineConfig(
  globalIgnores(['**/dist/', 'packages/client/api.ts', 'data/', '**/node_modules/', 'test/.tap/']),
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    plugins: { regexp },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-console': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 300],
      // Patterns are applied to untrusted text, so each must run in linear time.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  ...architecture,
  {
    files: ['packages/dashboard/**/*.ts', 'packages/dashboard/**/*.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
  },
  {
    files: ['packages/dashboard/**/*.ts', 'packages/dashboard/**/*.tsx'],
    plugins: { lingui },
    rules: { 'lingui/no-unlocalized-strings': ['error', NOT_SHOWN] },
  },
  { files: ['examples/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    },
  },
)
