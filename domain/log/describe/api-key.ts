import { BUDGETS, budgetInWords } from '../../workspace/budgets.ts'
import type { ApiKeyEvent } from '../../workspace/api-key.ts'
import { quoted, sentence, undone } from './wording.ts'

export function describeApiKey(event: ApiKeyEvent): string {
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { workspaceId, label, scopes, client } = event.data
      const allowed = scopes.length === 0 ? 'no scopes' : scopes.join(', ')
      if (client) {
        const app = `The app ${quoted(label)} (${quoted(client.host)})`
        return sentence(`${app} was allowed to act in workspace ${workspaceId}, with ${allowed}`)
      }
      return sentence(`The API key ${quoted(label)} was created for workspace ${workspaceId}, with ${allowed}`)
    }
    case 'ApiKeyUndoSet': {
      const { seconds } = event.data
      return seconds === undefined
        ? 'What the API key publishes can be taken back as long as in the workspace.'
        : `For the API key: ${undone(seconds)}.`
    }
    case 'ApiKeyBudgetsSet': {
      const { budgets } = event.data
      const limits = BUDGETS.flatMap((budget) => {
        const limit = budgets[budget]
        return limit === undefined ? [] : [budgetInWords(budget, limit)]
      })
      return sentence('The daily budgets of the API key were set', limits.join(', ') || 'none')
    }
    case 'ApiKeyRevoked':
      return 'The API key was revoked.'
  }
}
