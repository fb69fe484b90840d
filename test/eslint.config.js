import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
export default defineConfig({
  files: ['**/*.ts'],
  ignores: ['dist/**','**/node_modules/**'],
  extends: [tseslint.configs.recommended],
  languageOptions: { parserOptions: { project: './tsconfig.json' } },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
    '@typescript-eslint/await-thenable': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': 'error',
    '@typescript-eslint/no-unnecessary-condition': 'error',
    '@typescript-eslint/no-explicit-any': 'error',
    '@typescript-eslint/consistent-type-imports': 'error',
  },
})
