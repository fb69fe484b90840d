import type { ApiKeyEvent } from '../../workspace/api-key.ts'
import { quoted, sentence } from './wording.ts'

export function describeApiKey(event: ApiKeyEvent): string {
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { workspaceId, label, scopes } = event.data
      const allowed = scopes.length === 0 ? 'no scopes' : scopes.join(', ')
      return sentence(`The API key ${quoted(label)} was created for workspace ${workspaceId}, with ${allowed}`)
    }
    case 'ApiKeyRevoked':
      return 'The API key was revoked.'
  }
}
