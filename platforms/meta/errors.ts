import {
  errorTable,
  type Code,
  type CommonRefusal,
  type ErrorResponse,
  type ErrorRow,
  type Errors,
  type PlatformRefusal,
} from '../kit/errors.ts'
import { quoted } from '../kit/rest.ts'
import { faultIn, type GraphFault } from './fault.ts'
import { waitIn } from './usage.ts'

/** What can go wrong with any Meta call; each platform adds its own. */
export type GraphRefusal = CommonRefusal | Uncommon
type Uncommon = 'app' | 'capability' | 'confirmation' | 'role' | 'permission' | 'blocked' | 'unreadable'

/** The kind of a refusal by which Meta may also answer for something that it has done. */
export const PERHAPS_DONE = { hidden: 'permanent', visible: 'ambiguous' } as const
export const HOUR_MS = 3_600_000
/** Any of these is a missing permission. */
const PERMISSIONS = Array.from({ length: 100 }, (_, index) => 200 + index)

/** Codes that mean the same on all platforms of Meta. */
const GRAPH_CODES: Readonly<Record<GraphRefusal, readonly Code[]>> = {
  token: [102, 190, ...subcodes(458, 460, 463, 467)],
  app: [101, 190, 200],
  capability: [3],
  confirmation: subcodes(459, 464),
  role: subcodes(492),
  permission: [10, ...PERMISSIONS],
  'rate limit': [4, 17, 32, 613],
  blocked: [368],
  refused: [100],
  failed: [1, 2],
  unreadable: subcodes(33),
}

/** How the errors of one platform differ. */
export interface GraphTable<Own extends string> {
  /** The platform's display name. */
  readonly name: string
  readonly rows: Readonly<Record<Own, ErrorRow>>
  /** Changes to the rows of all platforms. Codes are added. */
  readonly changes: Readonly<Partial<Record<GraphRefusal, Partial<ErrorRow>>>>
  /** The codes of a fault, most specific first. Default: `graphCodes`. */
  readonly codesOf?: (fault: GraphFault) => readonly Code[]
  /** Reconsiders what the codes say. */
  readonly refine?: (
    found: Own | GraphRefusal | undefined,
    fault: GraphFault,
  ) => NoInfer<Own | GraphRefusal> | undefined
}

export interface GraphErrors<Refusal extends string> extends Omit<Errors<Refusal>, 'errorOf'> {
  /** @param text details for the message; default: none */
  readonly errorOf: (refusal: Refusal, text?: string) => PlatformRefusal
}

/** Subcodes are more specific than codes, and some arrive as a code, too. */
export function subcodes(...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `subcode ${number}`)
}

function graphCodes({ code, subcode }: GraphFault): readonly Code[] {
  return PERMISSIONS.includes(code) || subcode === undefined ? [code] : [...subcodes(subcode), code]
}

export function graphErrors<Own extends string>({
  name,
  rows,
  changes,
  codesOf = graphCodes,
  refine = (found) => found,
}: GraphTable<Own>): GraphErrors<Own | GraphRefusal> {
  const row = (refusal: GraphRefusal): Partial<ErrorRow> => {
    const { codes = [], ...change } = changes[refusal] ?? {}
    return { ...change, codes: [...GRAPH_CODES[refusal], ...codes] }
  }
  const table = errorTable<Own | Uncommon, ErrorResponse & { readonly fault?: GraphFault }>({
    name,
    rows: { ...rows, ...graphRows(name, row) },
    common: {
      token: row('token'),
      'rate limit': { waitMs: HOUR_MS, ...row('rate limit') },
      failed: row('failed'),
      refused: row('refused'),
    },
    read: (response, token) => {
      const fault = faultIn(response)
      if (fault) {
        const said = redacted(fault.message, token)
        return { codes: codesOf(fault), said, details: saying(textOf(fault, token)), fault }
      }
      return { details: response.status === 429 ? saying('') : ` (HTTP ${response.status}).` }
    },
    settle: (found, status, { fault }) => {
      if (!fault) return status === 429 ? 'rate limit' : 'failed'
      return (
        refine(found, fault) ??
        (status === 429 ? 'rate limit' : fault.transient || status >= 500 ? 'failed' : 'refused')
      )
    },
    waitOf: ({ accountRests, headers, waitMs, now }) => (accountRests ? (waitIn({ headers }, now) ?? waitMs) : waitMs),
    worded: (text, details) => text + details,
  })
  return { ...table, errorOf: (refusal, text = '') => table.errorOf(refusal, saying(text)) }
}

function graphRows(
  name: string,
  row: (refusal: GraphRefusal) => Partial<ErrorRow>,
): Readonly<Record<Uncommon, ErrorRow>> {
  const unpermitted = 'The access token lacks a permission. Connect the account again with all permissions'
  const dashboard = 'in its dashboard at developers.facebook.com'
  return {
    app: {
      says: /^(?:API access (?:blocked|deactivated)|Error validating application)/,
      kind: 'forbidden',
      limit: 'app_not_approved',
      text: `Meta does not accept your Meta app. See why ${dashboard}; connecting the account again does not help`,
      ...row('app'),
    },
    capability: {
      kind: 'forbidden',
      limit: 'app_not_approved',
      text: `Your Meta app may not do this. Request access for it ${dashboard}`,
      ...row('capability'),
    },
    confirmation: {
      kind: 'needs-reauth',
      text: `${name} wants the person who connected the account to log in there and confirm who they are. Then connect the account again`,
      ...row('confirmation'),
    },
    role: {
      kind: 'needs-reauth',
      text: 'The person who connected the account needs a role on its Page, and two-factor authentication if their business requires it. Fix this on Facebook, then connect the account again',
      ...row('role'),
    },
    permission: { kind: 'forbidden', text: unpermitted, ...row('permission') },
    blocked: { kind: 'permanent', text: `${name} has blocked this under its policies`, ...row('blocked') },
    // Says nothing about whether the object exists: Instagram answered so in an outage, while posts went live.
    unreadable: { kind: 'lost', text: `${name} did not return the requested data`, ...row('unreadable') },
  }
}

function saying(text: string): string {
  return text === '' ? '.' : `: ${text}`
}

function textOf({ message, userMessage, trace }: GraphFault, token: string): string {
  const text = quoted(redacted(userMessage ?? message, token))
  return trace === undefined ? text : `${text} (trace ${quoted(trace)})`
}

function redacted(text: string, token: string): string {
  return token === '' ? text : text.replaceAll(token, '…')
}
