import { architecture } from './test/lint-architecture.js'

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

const errors = (prefix, rules) => Object.fromEntries(rules.map((rule) => [`${prefix}${rule}`, 'error']))

const CODE = {
  ...errors('', ['no-array-constructor', 'no-console', 'no-unused-expressions', 'no-var', 'prefer-const']),
  ...errors('', ['prefer-rest-params', 'prefer-spread']),
  ...errors('typescript/', ['await-thenable', 'no-floating-promises', 'no-misused-promises']),
  ...errors('typescript/', ['ban-ts-comment', 'consistent-type-imports', 'no-duplicate-enum-values']),
  ...errors('typescript/', [
    'no-empty-object-type',
    'no-explicit-any',
    'no-extra-non-null-assertion',
    'no-misused-new',
  ]),
  ...errors('typescript/', [
    'no-namespace',
    'no-non-null-asserted-optional-chain',
    'no-require-imports',
    'no-this-alias',
  ]),
  ...errors('typescript/', ['no-unnecessary-type-constraint', 'no-unsafe-declaration-merging']),
  ...errors('typescript/', ['no-unsafe-function-type', 'no-wrapper-object-types', 'prefer-as-const']),
  ...errors('typescript/', ['prefer-namespace-keyword', 'triple-slash-reference']),
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'max-lines': ['error', 300],
  'no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
  ],
  // Patterns are applied to untrusted text, so each must run in linear time.
  'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
  'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
}

const DASHBOARD = {
  ...errors('react/', ['error-boundaries', 'globals', 'immutability', 'preserve-manual-memoization', 'purity', 'refs']),
  ...errors('react/', ['rules-of-hooks', 'set-state-in-effect', 'set-state-in-render', 'static-components']),
  ...errors('react/', ['exhaustive-deps', 'incompatible-library', 'unsupported-syntax', 'use-memo', 'void-use-memo']),
  'lingui/no-unlocalized-strings': ['error', NOT_SHOWN],
}

const TESTS = {
  'max-lines': 'off',
  'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
  // A rejected promise that is not awaited fails the test.
  'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
  // tap itself waits for subtests that are not awaited.
  'typescript/no-floating-promises': [
    'error',
    { allowForKnownSafePromises: [{ from: 'package', name: 'PromiseWithSubtest', package: '@tapjs/core' }] },
  ],
}

/** Paths are relative to the root of the checkout, the working directory of `npm run check`. */
export default {
  plugins: ['typescript', 'react'],
  jsPlugins: [
    'eslint-plugin-regexp',
    'eslint-plugin-lingui',
    { name: 'rooms', specifier: './test/lint-architecture.js' },
  ],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['**/dist/', 'packages/client/api.ts', 'data/', 'test/.tap/'],
  overrides: [
    { files: ['**/*.{ts,tsx}'], rules: CODE },
    ...architecture,
    { files: ['packages/dashboard/**/*.{ts,tsx}'], rules: DASHBOARD },
    { files: ['examples/**/*.ts'], rules: { 'no-console': 'off' } },
    { files: ['test/**/*.ts'], rules: TESTS },
  ],
}
