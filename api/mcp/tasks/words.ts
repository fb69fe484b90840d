import type { ApiTool } from '../tools.ts'
import { FOUND } from './kinds.ts'
import type { Task } from './task.ts'

/** What no tool of the profile does. */
const ELSEWHERE = 'the dashboard'

/** Fields of endpoints by the names that tools have for them. */
const FIELDS = new Map([
  ['scheduledFor', 'when'],
  ['directText', 'text'],
  ['editedText', 'text'],
  ['comment', 'text'],
  ['context', 'text'],
  ['plan', 'planId'],
])

/** The API's messages in words of the tools: they name endpoints, which agents do not have. */
export function inToolWords(tasks: readonly Task[], tools: ReadonlyMap<string, ApiTool>): (message: string) => string {
  const kinds = new Map(
    Object.entries(FOUND).map(([kind, { operationId }]) => [operationId as string, `find with kind ${kind}`]),
  )
  const taskOf = (operationId: string) =>
    kinds.get(operationId) ?? tasks.find(({ uses }) => uses.includes(operationId))?.name ?? ELSEWHERE
  const operations = new Map(
    [...tools.values()].map(({ route }) => [`${route.method} ${route.path}`, taskOf(route.operationId)]),
  )
  const names = new RegExp(String.raw`\b(${[...tools.keys()].join('|')})\b`, 'g')
  return (message) =>
    message
      .replace(/, with the same Idempotency-Key[^.]*/, '')
      .replace(
        'Send the request again after the seconds in Retry-After',
        'Call the tool again after retryAfterS seconds',
      )
      .replace(
        /\b(GET|POST|PUT|PATCH|DELETE) (?:\/v1)?(\/[\w/{}-]+)/g,
        (_, method: string, path: string) => operations.get(`${method} ${path}`) ?? ELSEWHERE,
      )
      .replace(names, (operationId) => taskOf(operationId))
      .replace(/^date and time (?=must)/, 'when ')
      .replace(/^\w+(?=:| (is|must|has|needs)\b)/, (field) => FIELDS.get(field) ?? field)
}
